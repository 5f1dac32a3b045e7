# SPDX-License-Identifier: GPL-2.0-only
#
# Programs of the guest that have no C library behind them but the header files
# that the kernel brings for this purpose: the i386 library of Debian needs
# CMOV, which processors before the Pentium Pro do not have.

NOLIBC := $(B)/linux/tree/tools/include/nolibc
NOLIBC_CFLAGS = -std=gnu11 -Os $(WARNINGS) -fno-pie -fno-stack-protector \
	-fno-asynchronous-unwind-tables -fcf-protection=none \
	$(PREFIX_MAP) -nostdlib -static -no-pie $(NOLIBC_NAMES)
# Linux 7.x has other names for the raw calls.
NOLIBC_NAMES := $(if $(LINUX_OTHER),$(foreach count,0 1 2 3 4 5 6,\
	-Dmy_syscall$(count)=__nolibc_syscall$(count)))
NOLIBC_FLAGS_x86_64 := -m64
NOLIBC_FLAGS_i386 := -m32 -march=i586

# The compiler is told the processor; nobody tells what comes from elsewhere.
nolibc-check-i386 = objdump -d $@ | awk '/\t(cmov|endbr|nop[wl] )/ \
	{ print "$@: not for old processors: " $$0; exit 1 }'

# nolibc-program ARCH,FLAGS: makes the target from its C files.
nolibc-program = gcc $(NOLIBC_FLAGS_$(1)) $(NOLIBC_CFLAGS) $(2) -isystem $(NOLIBC) \
	-include nolibc.h -o $@ $(filter %.c,$^) && $(or $(nolibc-check-$(1)),:)
