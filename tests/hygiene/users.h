/* The functions that main.c calls. Each stands in a file of its own, compiled from user.c, and
   returns USER_RESULT, however the library got into that file. */
#ifndef USERS_H
#define USERS_H

#define USER_RESULT 23 /* ten times the pairs, and the boxes in the window */

#ifdef __cplusplus
extern "C" {
#endif
int user_a(void);
int user_b(void);
int twin_a(void);
int twin_b(void);
#ifdef __cplusplus
}
#endif
#endif
