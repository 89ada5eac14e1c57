/* avr.c - output of an AVR through its first serial port, which simavr prints; then it sleeps
   without interrupts, which ends simavr. Its exit status says nothing. See targets.sh. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

int smoke_main(void);
void smoke_write(int c);

void smoke_write(int c)
{
    while ((UCSR0A & (1 << UDRE0)) == 0) continue;
    UDR0 = (unsigned char)c;
}

int main(void)
{
    UCSR0B = 1 << TXEN0;
    (void)smoke_main();
    cli();
    sleep_enable();
    sleep_cpu();
    return 0;
}
