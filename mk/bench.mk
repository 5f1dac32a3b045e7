# SPDX-License-Identifier: GPL-2.0-only
#
# The benchmarks (bench/): programs that run in the guest and count what perfmon
# costs, beside perf_event. They are built as the selftests are and use the same
# parts (mk/selftests.mk).

BENCH_SOURCES := $(filter-out bench/lowlevel.c,$(wildcard bench/*.c))
BENCH_PROGRAM := $(B)/bench/sessions
GUEST_PROGRAMS_x86_64 += $(BENCH_PROGRAM) $(B)/bench/x86_64/lowlevel
GUEST_PROGRAMS_i386 += $(B)/bench/i386/lowlevel

$(B)/bench/obj/%.o: bench/%.c mk/bench.mk | $(B)/linux/tree.stamp $(B)/deps/lib.stamp
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -m64 -Itests/selftests $(SELFTEST_CPPFLAGS) $(SELFTEST_CFLAGS) \
		-c -o $@ $<

$(BENCH_PROGRAM): $(BENCH_SOURCES:bench/%.c=$(B)/bench/obj/%.o) \
		$(SELFTEST_PARTS:%=$(B)/selftests/x86_64/obj/%.o) \
		$(B)/lib/x86_64/libpfm.a
	$(call say,LD $@)
	$(Q)$(CC) -m64 $(SELFTEST_CFLAGS) $(LDFLAGS) -static -s -o $@ $^

# The low-level core is measured on processors of both word sizes.
define lowlevel-rules
$(B)/bench/$(1)/lowlevel: bench/lowlevel.c mk/bench.mk \
		$(SELFTEST_PARTS:%=$(B)/selftests/$(1)/obj/%.o) \
		$(B)/lib/$(1)/libpfm.a
	$$(call say,LD $$@)
	$$(Q)mkdir -p $$(@D)
	$$(Q)$$(CC) $(2) -Itests/selftests $$(SELFTEST_CPPFLAGS) $$(SELFTEST_CFLAGS) \
		$$(LDFLAGS) -static -s -o $$@ $$(filter-out %.mk,$$^)
endef

$(eval $(call lowlevel-rules,x86_64,-m64))
$(eval $(call lowlevel-rules,i386,-m32))

-include $(wildcard $(B)/bench/obj/*.d $(B)/bench/*/*.d)
