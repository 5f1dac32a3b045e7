# SPDX-License-Identifier: GPL-2.0-only
#
# The kit (tests/kit/): the parts that the selftests, the benchmarks and the fuzzer
# of the system calls link, as one archive for each architecture, $(call kit,ARCH).
# Programs are compiled with kit-cc, whose flags are the kit's own.

KIT_DIR := tests/kit
KIT_SOURCES := $(wildcard $(KIT_DIR)/*.c)
KIT_NOLIBC_HEADERS := $(wildcard $(KIT_DIR)/include/*.h $(KIT_DIR)/nolibc/*.h \
	$(KIT_DIR)/nolibc/sys/*.h)

KIT_CFLAGS = -std=gnu11 $(WARNINGS) -O2 -pthread $(PREFIX_MAP)
KIT_CPPFLAGS := -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -I$(KIT_DIR)/include \
	-Ilib/include -Imachine/pmu -Itests/modules \
	-isystem $(B)/linux/tree/tools/testing/selftests
KIT_BITS_x86_64 := -m64
KIT_BITS_i386 := -m32

# For programs without the C library (mk/nolibc.mk).
KIT_NOLIBC_CPPFLAGS := -I$(KIT_DIR)/nolibc -I$(KIT_DIR)/include -Ilib/include

# Where the headers are that these flags name, beside the package set lib.
KIT_TREE := $(B)/linux/tree.stamp
KIT_NEEDS := $(KIT_TREE) $(B)/deps/lib.stamp

kit = $(B)/kit/$(1)/libkit.a
kit-cc = $(CC) $(KIT_BITS_$(1)) $(KIT_CPPFLAGS) $(KIT_CFLAGS)
kit-link = $(CC) $(KIT_BITS_$(1)) $(KIT_CFLAGS) $(LDFLAGS) -static

# kit-object-rule OBJECT-PATTERN,SOURCE-PATTERN,ARCH,FURTHER FLAGS,PREREQUISITES
kit-object-rule = $(call object-rule,$(1),$(2),$$(call kit-cc,$(3)) $(4),lib,\
	mk/kit.mk $(5),$(KIT_TREE))

# kit-rules ARCH
define kit-rules
$(call kit-object-rule,$(B)/kit/$(1)/%.o,$(KIT_DIR)/%.c,$(1))

$(call kit,$(1)): $(KIT_SOURCES:$(KIT_DIR)/%.c=$(B)/kit/$(1)/%.o)
	$$(Q)rm -f $$@
	$$(Q)$$(AR) rcsD $$@ $$^
endef

$(eval $(call kit-rules,x86_64))
$(eval $(call kit-rules,i386))

-include $(wildcard $(B)/kit/*/*.d)
