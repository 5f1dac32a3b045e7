# SPDX-License-Identifier: GPL-2.0-only
#
# The benchmarks (bench/): programs that run in the guest and count what perfmon
# costs, beside perf_event. They are built as the selftests are and use the same
# parts (mk/selftests.mk, mk/nolibc.mk).

BENCH_SOURCES := $(filter-out bench/lowlevel.c bench/memory.c bench/compat.c \
	bench/sections.c,\
	$(wildcard bench/*.c))
BENCH_PROGRAM := $(B)/bench/sessions
BENCH_BOTH := lowlevel memory bench_compat bench_sections
GUEST_PROGRAMS_x86_64 += $(BENCH_PROGRAM) $(BENCH_BOTH:%=$(B)/bench/x86_64/%)
GUEST_PROGRAMS_i386 += $(BENCH_BOTH:%=$(B)/bench/i386/%)

$(B)/bench/obj/%.o: bench/%.c mk/bench.mk | $(B)/linux/tree.stamp $(B)/deps/lib.stamp
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -m64 -Itests/selftests $(SELFTEST_CPPFLAGS) $(SELFTEST_CFLAGS) \
		-c -o $@ $<

$(BENCH_PROGRAM): $(BENCH_SOURCES:bench/%.c=$(B)/bench/obj/%.o) \
		$(SELFTEST_PARTS:%=$(B)/selftests/x86_64/obj/%.o) \
		$(B)/lib/x86_64/libpfm.a
	$(call say,LD $@)
	$(Q)$(CC) -m64 $(SELFTEST_CFLAGS) $(LDFLAGS) -static -s -o $@ $^

# Memory and the library are measured with both word sizes.
define bench-rules
$(B)/bench/$(1)/memory: bench/memory.c
$(B)/bench/$(1)/bench_compat: bench/compat.c bench/meter.c
$(B)/bench/$(1)/bench_sections: bench/sections.c
$(B)/bench/$(1)/memory $(B)/bench/$(1)/bench_compat \
$(B)/bench/$(1)/bench_sections: mk/bench.mk \
		$(SELFTEST_PARTS:%=$(B)/selftests/$(1)/obj/%.o) \
		$(B)/lib/$(1)/libpfm.a
	$$(call say,LD $$@)
	$$(Q)mkdir -p $$(@D)
	$$(Q)$$(CC) $(2) -Itests/selftests $$(SELFTEST_CPPFLAGS) $$(SELFTEST_CFLAGS) \
		$$(LDFLAGS) -static -s -o $$@ $$(filter-out %.mk,$$^)
endef

$(eval $(call bench-rules,x86_64,-m64))
$(eval $(call bench-rules,i386,-m32))

# The low-level core is measured on all processors, without CMOV, too.
LOWLEVEL_PARTS := nolibc/calls.c attr.c known_events.c module.c pmu.c probe.c

$(foreach arch,x86_64 i386,$(B)/bench/$(arch)/lowlevel): $(B)/bench/%/lowlevel: \
		bench/lowlevel.c $(LOWLEVEL_PARTS:%=$(SELFTEST_DIR)/%) \
		$(wildcard $(SELFTEST_DIR)/*.h $(SELFTEST_DIR)/nolibc/*.h \
			$(SELFTEST_DIR)/nolibc/sys/*.h tests/modules/*.h) \
		mk/bench.mk mk/nolibc.mk | $(B)/linux/tree.stamp $(B)/deps/lib.stamp
	$(call say,LD $@)
	$(Q)mkdir -p $(@D)
	$(Q)$(call nolibc-program,$*,-I$(SELFTEST_DIR)/nolibc -I$(SELFTEST_DIR) \
		-Ilib/include -Itests/modules)

-include $(wildcard $(B)/bench/obj/*.d)
