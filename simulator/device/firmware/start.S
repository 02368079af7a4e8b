# Where a core begins: nothing but the stack is set up, firmware has no data of its own.
    .section .text.start, "ax"
    .globl _start
_start:
    la sp, __stack_top
    call firmware_main
1:  j 1b
