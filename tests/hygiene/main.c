/* Links several users of the library with one implementation and with static twins of it; fails if
   one of them sees anything else than the others. */
#include "users.h"

#include <stdio.h>

static int failures;

static void expect(const char *who, int result)
{
    if (result == USER_RESULT) return;
    printf("%s returned %d, not %d\n", who, result, USER_RESULT);
    failures++;
}

int main(void)
{
    expect("user_a", user_a());
    expect("user_b", user_b());
    expect("twin_a", twin_a());
    expect("twin_b", twin_b());
    return failures != 0;
}
