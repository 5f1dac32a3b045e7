# SPDX-License-Identifier: GPL-2.0-only
#
# The benchmarks (bench/): programs that run in the guest and count what perfmon
# costs, beside perf_event. They link the kit (mk/kit.mk, mk/nolibc.mk).

BENCH_SOURCES := $(filter-out bench/lowlevel.c bench/memory.c bench/compat.c \
	bench/sections.c,\
	$(wildcard bench/*.c))
BENCH_PROGRAM := $(B)/bench/sessions
BENCH_BOTH := lowlevel memory bench_compat bench_sections
GUEST_PROGRAMS_x86_64 += $(BENCH_PROGRAM) $(BENCH_BOTH:%=$(B)/bench/x86_64/%)
GUEST_PROGRAMS_i386 += $(BENCH_BOTH:%=$(B)/bench/i386/%)

$(B)/bench/obj/%.o: bench/%.c mk/bench.mk mk/kit.mk | $(KIT_NEEDS)
	$(Q)mkdir -p $(@D)
	$(Q)$(call kit-cc,x86_64) -c -o $@ $<

$(BENCH_PROGRAM): $(BENCH_SOURCES:bench/%.c=$(B)/bench/obj/%.o) \
		$(call kit,x86_64) $(B)/lib/x86_64/libpfm.a
	$(call say,LD $@)
	$(Q)$(call kit-link,x86_64) -s -o $@ $^

# Memory and the library are measured with both word sizes.
define bench-rules
$(B)/bench/$(1)/memory: bench/memory.c
$(B)/bench/$(1)/bench_compat: bench/compat.c bench/meter.c
$(B)/bench/$(1)/bench_sections: bench/sections.c
$(B)/bench/$(1)/memory $(B)/bench/$(1)/bench_compat \
$(B)/bench/$(1)/bench_sections: mk/bench.mk mk/kit.mk $(call kit,$(1)) \
		$(B)/lib/$(1)/libpfm.a | $(KIT_NEEDS)
	$$(call say,LD $$@)
	$$(Q)mkdir -p $$(@D)
	$$(Q)$$(call kit-link,$(1)) $$(KIT_CPPFLAGS) -s -o $$@ \
		$$(filter %.c,$$^) $$(filter %.a,$$^)
endef

$(eval $(call bench-rules,x86_64))
$(eval $(call bench-rules,i386))

# The low-level core is measured on all processors, without CMOV, too.
LOWLEVEL_PARTS := nolibc/calls.c attr.c known_events.c module.c pmu.c probe.c

$(foreach arch,x86_64 i386,$(B)/bench/$(arch)/lowlevel): $(B)/bench/%/lowlevel: \
		bench/lowlevel.c $(LOWLEVEL_PARTS:%=$(KIT_DIR)/%) \
		$(KIT_NOLIBC_HEADERS) $(wildcard tests/modules/*.h) \
		mk/bench.mk mk/nolibc.mk | $(KIT_NEEDS)
	$(call say,LD $@)
	$(Q)mkdir -p $(@D)
	$(Q)$(call nolibc-program,$*,$(KIT_NOLIBC_CPPFLAGS) -Itests/modules)

-include $(wildcard $(B)/bench/obj/*.d)
