# SPDX-License-Identifier: GPL-2.0-only
#
# The kit (tests/kit/): the parts that the selftests, the benchmarks and the fuzzer
# of the system calls link, as one archive for each architecture, $(call kit,ARCH).
# Programs are compiled with kit-cc, whose flags are the kit's own.

KIT_DIR := tests/kit
KIT_SOURCES := $(wildcard $(KIT_DIR)/*.c)
KIT_NOLIBC_HEADERS := $(wildcard $(KIT_DIR)/include/*.h $(KIT_DIR)/nolibc/*.h \
	$(KIT_DIR)/nolibc/sys/*.h)

KIT_CFLAGS = -std=gnu11 -Wall -Wextra -Wshadow -Wstrict-prototypes \
	$(if $(filter 1,$(WERROR)),-Werror) -O2 -pthread \
	-ffile-prefix-map=$(CURDIR)=. -MMD -MP
KIT_CPPFLAGS := -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -I$(KIT_DIR)/include \
	-Ilib/include -Imachine/pmu -Itests/modules \
	-isystem $(B)/linux/tree/tools/testing/selftests
KIT_BITS_x86_64 := -m64
KIT_BITS_i386 := -m32

# For programs without the C library (mk/nolibc.mk).
KIT_NOLIBC_CPPFLAGS := -I$(KIT_DIR)/nolibc -I$(KIT_DIR)/include -Ilib/include

# What everything that is compiled with these flags takes its headers from.
KIT_NEEDS := $(B)/linux/tree.stamp $(B)/deps/lib.stamp

kit = $(B)/kit/$(1)/libkit.a
kit-cc = $(CC) $(KIT_BITS_$(1)) $(KIT_CPPFLAGS) $(KIT_CFLAGS)
kit-link = $(CC) $(KIT_BITS_$(1)) $(KIT_CFLAGS) $(LDFLAGS) -static

# kit-rules ARCH
define kit-rules
$(B)/kit/$(1)/%.o: $(KIT_DIR)/%.c mk/kit.mk | $(KIT_NEEDS)
	$$(Q)mkdir -p $$(@D)
	$$(Q)$$(call kit-cc,$(1)) -c -o $$@ $$<

$(call kit,$(1)): $(KIT_SOURCES:$(KIT_DIR)/%.c=$(B)/kit/$(1)/%.o)
	$$(Q)rm -f $$@
	$$(Q)$$(AR) rcsD $$@ $$^
endef

$(eval $(call kit-rules,x86_64))
$(eval $(call kit-rules,i386))

-include $(wildcard $(B)/kit/*/*.d)
