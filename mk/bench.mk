# SPDX-License-Identifier: GPL-2.0-only
#
# The benchmarks (bench/): programs that run in the guest and count what perfmon
# costs, beside perf_event, and the targets that boot them. They link the kit
# (mk/kit.mk, mk/nolibc.mk).

BENCH_SOURCES := $(filter-out bench/lowlevel.c bench/memory.c bench/compat.c \
	bench/sections.c bench/follow.c bench/parts.c bench/record.c,\
	$(wildcard bench/*.c))
BENCH_PROGRAM := $(B)/bench/sessions
BENCH_BOTH := lowlevel memory bench_compat bench_sections bench_follow bench_parts \
	bench_record
GUEST_PROGRAMS_x86_64 += $(BENCH_PROGRAM) $(BENCH_BOTH:%=$(B)/bench/x86_64/%)
GUEST_PROGRAMS_i386 += $(BENCH_BOTH:%=$(B)/bench/i386/%)

$(eval $(call kit-object-rule,$(B)/bench/obj/%.o,bench/%.c,x86_64,,mk/bench.mk))

$(BENCH_PROGRAM): $(BENCH_SOURCES:bench/%.c=$(B)/bench/obj/%.o) \
		$(call kit,x86_64) $(B)/lib/x86_64/libpfm.a
	$(call say,LD $@)
	$(Q)$(call kit-link,x86_64) -s -o $@ $^

# Memory and the library are measured with both word sizes.
define bench-rules
$(B)/bench/$(1)/memory: bench/memory.c
$(B)/bench/$(1)/bench_compat: bench/compat.c bench/meter.c
$(B)/bench/$(1)/bench_sections: bench/sections.c
$(B)/bench/$(1)/bench_follow: bench/follow.c bench/meter.c
$(B)/bench/$(1)/bench_parts: bench/parts.c bench/meter.c
$(B)/bench/$(1)/bench_record: bench/record.c bench/meter.c
$(filter-out %/lowlevel,$(BENCH_BOTH:%=$(B)/bench/$(1)/%)): mk/bench.mk mk/kit.mk \
		$(call kit,$(1)) $(B)/lib/$(1)/libpfm.a | $(KIT_NEEDS)
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

# What reads files of samples, of more of them than memory should have to hold.
MANY_SAMPLES := 10000000
MANY_FRAMES := 0 16

$(B)/bench/report/many_samples: bench/report/many_samples.c \
		$(addprefix tools/pfmon/profile/,writer.c crc32c.c)
	$(call say,LD $@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(PFMON_CPPFLAGS) $(USER_CFLAGS) $(LDFLAGS) -o $@ $^

.PHONY: bench-report
bench-report: $(B)/bench/report/many_samples $(PROFILE) ## [longer] memory and time of pfmon report with 10 million samples
	$(Q)for frames in $(MANY_FRAMES); do \
		echo "$$frames frames:"; \
		$< $(MANY_SAMPLES) $$frames > $(B)/bench/report/many.data && \
		python3 bench/report/measure.py $(PROFILE) \
			$(B)/bench/report/many.data $$frames || exit 1; \
	done
	$(Q)rm $(B)/bench/report/many.data

BENCHES := bench-compat bench-memory bench-sections bench-follow bench-parts \
	bench-record bench-lowlevel

.PHONY: bench bench-sessions $(BENCHES)

# What make bench measures is always the same kernel, perfmon apart: the kind bench;
# or one of Debian's, with the module.
BENCH_KIND = $(if $(KERNEL),$(KIND),bench)
BENCH_OPTIONS = --build $(B) --accel $(ACCEL) --kind $(BENCH_KIND)
BENCH_INPUTS = $(call guest_inputs,$(ARCH)-$(BENCH_KIND))
BENCH_DIR = $(B)/bench$(if $(KERNEL),/$(KIND))
BENCH_LIMITS = bench/limits$(if $(KERNEL),-stock)
BENCH_INPUTS_BOTH = $(call guest_inputs,x86_64-bench i386-bench)

# The two processors that the limits of bench/limits hold for; another with CPU=.
BENCH_CPUS = $(if $(call chosen,CPU,chosen),$(CPU),zen1 skylake)

# One processor of each design.
BENCH_DESIGNS = $(if $(call chosen,CPU,chosen),$(CPU),p5 p5mmx mii winchip c3 \
	p3 coreduo p4 k7 fam10h zen1 zen4 core2 skylake icelake tsc-only)

bench: $(if $(filter x86_64,$(ARCH)),bench-sessions) $(if $(KERNEL),,$(BENCHES)) ## [try] count what calls, switches and samples cost, beside perf_event (KERNEL=stock)

bench-lowlevel: $(if $(call chosen,CPU,chosen),$(BENCH_INPUTS),$(BENCH_INPUTS_BOTH))
	$(Q)mkdir -p $(B)/bench; for cpu in $(BENCH_DESIGNS); do \
		$(CHECKS).run_command $(BENCH_OPTIONS) --name lowlevel-$$cpu \
			--cpu $$cpu --smp 1 /tests/lowlevel \
			> $(B)/bench/lowlevel-$$cpu.tsv; \
		awk -v processor=$$cpu -f bench/lowlevel-table.awk \
			$(B)/bench/lowlevel-$$cpu.tsv; \
	done

bench-memory: $(BENCH_INPUTS)
	$(Q)for cpu in $(BENCH_CPUS); do \
		$(CHECKS).run_command $(BENCH_OPTIONS) --name memory-$$cpu \
			--cpu $$cpu --arch $(ARCH) --smp 1 /tests/memory || exit 1; \
	done

# With a second processor, for sessions of another CPU.
bench-sections: $(BENCH_INPUTS)
	$(Q)for cpu in $(BENCH_CPUS); do \
		$(CHECKS).run_command $(BENCH_OPTIONS) --name sections-$$cpu \
			--cpu $$cpu --arch $(ARCH) --smp 2 \
			/tests/bench_sections || exit 1; \
	done

# Calls on a session of very many; of the tool what following costs, and each sample
# that it writes.
bench-parts bench-follow bench-record: bench-%: $(BENCH_INPUTS)
	$(Q)for cpu in $(BENCH_CPUS); do \
		$(CHECKS).run_command $(BENCH_OPTIONS) --name $*-$$cpu \
			--cpu $$cpu --arch $(ARCH) --smp 1 \
			/tests/bench_$* || exit 1; \
	done

# The library alone: the same on each processor, but not in 32-bit programs (CPU=p3).
bench-compat: $(BENCH_INPUTS)
	$(Q)$(CHECKS).run_command $(BENCH_OPTIONS) --name bench-compat \
		--cpu $(CPU) --arch $(ARCH) --smp 1 /tests/bench_compat

bench-sessions: $(BENCH_INPUTS)
	$(Q)mkdir -p $(BENCH_DIR); status=0; for cpu in $(BENCH_CPUS); do \
		$(CHECKS).run_command $(BENCH_OPTIONS) --name bench-$$cpu$(KERNEL:%=-$(KIND)) \
			--cpu $$cpu --arch $(ARCH) --smp 1 /tests/sessions \
			> $(BENCH_DIR)/sessions-$$cpu.txt || \
			{ cat $(BENCH_DIR)/sessions-$$cpu.txt; exit 1; }; \
		$(CHECKS).bench_report $$cpu $(BENCH_LIMITS) \
			$(BENCH_DIR)/results-$$cpu.tsv \
			< $(BENCH_DIR)/sessions-$$cpu.txt || status=1; \
	done; \
	cat $(BENCH_DIR)/results-*.tsv > $(BENCH_DIR)/results.tsv; exit $$status
