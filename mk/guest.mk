# SPDX-License-Identifier: GPL-2.0-only
#
# The guests: their initial file systems, and the targets that boot them.
# Which boots a check consists of is the subject of tests/guest/plan; CPU= and
# SMP= on the command line choose among them.

GUEST_SCRIPTS := checks/mkinitramfs.py tests/guest/demo \
	tests/guest/demo-events mk/guest.mk

# What somebody has said, as opposed to our defaults.
chosen = $(if $(filter file,$(origin $(1))),,$(2))

GUEST_OPTIONS = --build $(B) --accel $(ACCEL) \
	$(patsubst %,--kind %,$(filter-out plain,$(KIND)))
BENCH_OPTIONS = --build $(B) --accel $(ACCEL) --kind bench

# Who chooses processors wants to see those: other kernels only if he says so.
PLAN_KIND = $(or $(KIND),$(call chosen,CPU,plain),$(call chosen,ARCH,plain))
PLAN_OPTIONS = --build $(B) --accel $(ACCEL) \
	$(if $(filter 1,$(DEBUG)),--kind debug,$(PLAN_KIND:%=--only %))
GUEST_CHOICE = $(call chosen,CPU,--cpu $(CPU)) $(call chosen,SMP,--smp $(SMP)) \
	$(call chosen,ARCH,--arch $(ARCH)) $(if $(filter 1,$(V)),--verbose)

# Not the whole plan: a conformance case need not be passed.
PARTIAL = $(if $(KIND)$(filter-out --verbose,$(GUEST_CHOICE)),--partial)

# What a boot of one processor needs, and what all those of the plan need.
GUEST_MACHINE := $(if $(filter kvm,$(ACCEL)),$(B)/deps/kvm.stamp,\
	$(B)/machine/qemu-system-x86_64)
guest_inputs = $(GUEST_MACHINE) $(foreach variant,$(1),\
	$(B)/kernel/$(variant)/bzImage $(B)/guest/$(variant).cpio)
GUEST_INPUTS = $(call guest_inputs,$(KVARIANT))
ifneq ($(filter-out plain,$(KIND))$(call chosen,CPU,chosen)$(call chosen,ARCH,chosen),)
PLAN_INPUTS = $(GUEST_INPUTS)
else
PLAN_INPUTS = $(call guest_inputs,x86_64 i386 x86_64-debug)
endif

.PHONY: run shell bench bench-lowlevel bench-memory bench-sessions bench-compat \
	bench-sections \
	check-machine check-guest stress fuzz results-machine results-guest \
	results-stress results-fuzz tested-on \
	$(foreach suite,rt kcsan distro kexec,check-$(suite) results-$(suite))

# What the demonstration needs, and no test programs.
DEMO_FILES = demo-$(ARCH)

run: $(GUEST_MACHINE) $(KERNEL) $(B)/guest/$(DEMO_FILES).cpio ## [try] boot the test machine and count a program's instructions
	$(call say,$(CPU): Linux with perfmon counts busybox gzip twice)
	$(Q)$(CHECKS).run_command $(GUEST_OPTIONS) --name run-$(CPU) \
		--cpu $(CPU) --arch $(ARCH) --smp $(SMP) --files $(DEMO_FILES) \
		demo $(CPU)

shell: $(GUEST_INPUTS) ## [try] boot the test machine with a shell
	$(call say,$(CPU): exit or Ctrl-A X ends)
	$(Q)$(CHECKS).run_command $(GUEST_OPTIONS) --name shell-$(CPU) \
		--cpu $(CPU) --arch $(ARCH) --smp $(SMP)

# What make bench measures is always the same kernel, perfmon apart: the kind bench.
BENCH_INPUTS = $(call guest_inputs,$(ARCH)-bench)
BENCH_INPUTS_BOTH = $(call guest_inputs,x86_64-bench i386-bench)

# The two processors that the limits of bench/limits hold for; another with CPU=.
BENCH_CPUS = $(if $(call chosen,CPU,chosen),$(CPU),zen1 skylake)

# One processor of each design.
BENCH_DESIGNS = $(if $(call chosen,CPU,chosen),$(CPU),p5 p5mmx mii winchip c3 \
	p3 coreduo p4 k7 fam10h zen1 zen4 core2 skylake icelake tsc-only)

bench: $(if $(filter x86_64,$(ARCH)),bench-sessions) bench-compat bench-memory bench-sections bench-lowlevel ## [try] count what calls, switches and samples cost, beside perf_event

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

# The library alone: the same on each processor, but not in 32-bit programs (CPU=p3).
bench-compat: $(BENCH_INPUTS)
	$(Q)$(CHECKS).run_command $(BENCH_OPTIONS) --name bench-compat \
		--cpu $(CPU) --arch $(ARCH) --smp 1 /tests/bench_compat

bench-sessions: $(BENCH_INPUTS)
	$(Q)mkdir -p $(B)/bench; status=0; for cpu in $(BENCH_CPUS); do \
		$(CHECKS).run_command $(BENCH_OPTIONS) --name bench-$$cpu \
			--cpu $$cpu --arch $(ARCH) --smp 1 /tests/sessions \
			> $(B)/bench/sessions-$$cpu.txt || \
			{ cat $(B)/bench/sessions-$$cpu.txt; exit 1; }; \
		$(CHECKS).bench_report $$cpu $(B)/bench/results-$$cpu.tsv \
			< $(B)/bench/sessions-$$cpu.txt || status=1; \
	done; \
	cat $(B)/bench/results-*.tsv > $(B)/bench/results.tsv; exit $$status

check-machine: results-machine ## [test] check the test machine with perf_event as judge
	$(Q)$(CHECKS).results $(B)/results machine

check-guest: results-guest ## [test] run the selftests in the guests (CPU=, SMP=, DEBUG=1)
	$(Q)$(CHECKS).results $(B)/results guest

# What takes long, always with the kernel that looks at itself.
stress fuzz:
	+$(Q)$(MAKE) DEBUG=1 results-$@
	$(Q)$(CHECKS).results $(B)/results $@

## PFM_FUZZ_CALLS=N    how many calls fuzz makes, in boots of 100 000, default 1000000
PFM_FUZZ_CALLS ?= 1000000
results-fuzz: PLAN_OPTIONS += --calls $(PFM_FUZZ_CALLS)

stress: ## [longer] everything at once for ten minutes of guest time, debug kernel (PFM_STRESS_SEED=)
fuzz: ## [longer] calls with random arguments, debug kernel; goes on where it stopped (PFM_FUZZ_SEED=)

# Suites with a kernel of their own, beside that of make check.
check-rt: results-rt ## [longer] run the selftests on a PREEMPT_RT kernel
check-kcsan: results-kcsan ## [longer] look for data races in perfmon
check-distro: results-distro ## [longer] run the selftests on a kernel like a distribution's

# Two kernels, one after the other.
check-kexec: results-kexec ## [longer] start another kernel while sessions sample, by a crash and by kexec

results-kexec: $(call guest_inputs,x86_64)
	$(Q)$(CHECKS).run_guest kexec --build $(B) --accel $(ACCEL) $(GUEST_CHOICE)

check-rt check-kcsan check-distro check-kexec: check-%:
	$(Q)$(CHECKS).results $(B)/results $*

define own_kernel
results-$(1): $$(call guest_inputs,x86_64-$(1))
	$$(Q)$(CHECKS).run_guest $(1) --build $$(B) --accel $$(ACCEL) $$(GUEST_CHOICE)
endef
$(foreach kind,rt kcsan distro,$(eval $(call own_kernel,$(kind))))

# The plan hands them to the programs. The machine is deterministic: every run
# would be the same run, so each has other seeds, and run_guest prints them.
# make fuzz counts from 1, or else it could not go on.
ifndef PFM_STRESS_SEED
export PFM_STRESS_SEED := $(shell od -An -N3 -tu4 /dev/urandom | tr -d ' ')
endif
ifndef PFM_FUZZ_SEED
export PFM_FUZZ_SEED := $(if $(filter fuzz results-fuzz,$(MAKECMDGOALS)),1,\
	$(shell od -An -N3 -tu4 /dev/urandom | tr -d ' '))
endif

results-machine results-guest results-stress results-fuzz: results-%: $(PLAN_INPUTS)
	$(Q)$(CHECKS).run_guest $* $(PLAN_OPTIONS) $(GUEST_CHOICE)
	$(if $(filter guest,$*),$(Q)$(CHECKS).conformance $(PARTIAL) $(B)/results/guest)

# The table of the last check-guest of all processors.
tested-on: ## [maintain] put the table of the last check-guest into Documentation/project/
	$(Q)$(CHECKS).tested_on write $(B)/results/guest/processors.tsv

# The initial file systems.

$(B)/guest/init-x86_64 $(B)/guest/init-i386: $(B)/guest/init-%: tests/guest/init.c \
		mk/nolibc.mk | $(B)/linux/tree.stamp $(B)/deps/guest.stamp
	$(Q)mkdir -p $(@D)
	$(Q)$(call nolibc-program,$*)

guest_tests = $(foreach program,$(2),$(1)/$(notdir $(program))=$(program))

# What nextkernel starts: the same kernel, without the programs that need more.
NEXT_INITRD := $(B)/guest/next-x86_64.cpio
$(NEXT_INITRD): $(B)/guest/init-x86_64 $(NEXTKERNEL_PROGRAMS) $(GUEST_SCRIPTS)
	$(Q)$(CHECKS).mkinitramfs --output $@ /init=$(B)/guest/init-x86_64 \
		$(call guest_tests,/tests,$(NEXTKERNEL_PROGRAMS))

next_kernel = /tests/boot/initrd.cpio=$(NEXT_INITRD) \
	/tests/boot/bzImage=$(B)/kernel/$(1)/bzImage

# For `make run`: pfmon, and for processors without CMOV a program that has no C
# library.
demo_files = /init=$(B)/guest/init-$(1) /usr/bin/demo=tests/guest/demo \
	/etc/demo-events=tests/guest/demo-events \
	/tests/counters=$(B)/selftests/$(1)/counters

$(B)/guest/demo-x86_64.cpio: $(B)/guest/init-x86_64 $(GUEST_SCRIPTS) \
		$(B)/tools/pfmon $(LIB_X86_64)/libpfm.so.3 \
		$(B)/selftests/x86_64/counters
	$(Q)$(CHECKS).mkinitramfs --output $@ --busybox /bin/busybox \
		--library-path $(CURDIR)/$(LIB_X86_64) \
		/usr/bin/pfmon=$(B)/tools/pfmon $(call demo_files,x86_64)

$(B)/guest/demo-i386.cpio: $(B)/guest/init-i386 $(GUEST_SCRIPTS) \
		$(B)/guest/pfmon-i386 $(B)/selftests/i386/counters
	$(Q)$(CHECKS).mkinitramfs --output $@ \
		--busybox $(SYSROOT_I386)/bin/busybox \
		/usr/bin/pfmon=$(B)/guest/pfmon-i386 $(call demo_files,i386)

# One for each variant of the kernel, because of the modules.

$(patsubst %,$(B)/guest/%.cpio,$(filter x86_64%,$(KVARIANTS))): $(B)/guest/%.cpio: \
		$(B)/guest/init-x86_64 $(GUEST_SCRIPTS) $(B)/tools/pfmon \
		$(LIB_X86_64)/libpfm.so.3 $(LIB_I386)/libpfm.so.3 \
		$(NEXT_INITRD) $(B)/kernel/%/bzImage $(call test-modules,%) $(EXAMPLES) $(EXAMPLES_I386) \
		$(GUEST_PROGRAMS_x86_64) $(GUEST_PROGRAMS_i386)
	$(call say,guest $*)
	$(Q)$(CHECKS).mkinitramfs --output $@ --busybox /bin/busybox \
		--library-path $(CURDIR)/$(LIB_X86_64):$(CURDIR)/$(LIB_I386) \
		/init=$(B)/guest/init-x86_64 /usr/bin/pfmon=$(B)/tools/pfmon \
		/usr/bin/demo=tests/guest/demo \
		/etc/demo-events=tests/guest/demo-events \
		$(call guest_tests,/modules,$(call test-modules,$*)) \
		$(GUEST_EXAMPLES_x86_64) $(GUEST_EXAMPLES_32) \
		$(call next_kernel,$*) \
		$(call guest_tests,/tests,$(GUEST_PROGRAMS_x86_64)) \
		$(call guest_tests,/tests/32,$(GUEST_PROGRAMS_i386))

$(patsubst %,$(B)/guest/%.cpio,$(filter i386%,$(KVARIANTS))): $(B)/guest/%.cpio: \
		$(B)/guest/init-i386 $(GUEST_SCRIPTS) $(B)/guest/pfmon-i386 \
		$(LIB_I386)/libpfm.so.3 $(call test-modules,%) \
		$(EXAMPLES_I386) $(GUEST_PROGRAMS_i386)
	$(call say,guest $*)
	$(Q)$(CHECKS).mkinitramfs --output $@ --busybox $(SYSROOT_I386)/bin/busybox \
		--library-path $(CURDIR)/$(LIB_I386) \
		/init=$(B)/guest/init-i386 /usr/bin/pfmon=$(B)/guest/pfmon-i386 \
		/usr/bin/demo=tests/guest/demo \
		/etc/demo-events=tests/guest/demo-events \
		$(call guest_tests,/modules,$(call test-modules,$*)) \
		$(GUEST_EXAMPLES_i386) \
		$(call guest_tests,/tests,$(GUEST_PROGRAMS_i386))

# A static 32-bit pfmon and busybox for the 32-bit guests, with what Debian has
# for i386; the headers are the host's.

PFMON_I386 := $(B)/guest/pfmon-i386.d
PFMON_I386_OBJECTS := $(PFMON_SOURCES:tools/pfmon/%.c=$(PFMON_I386)/%.o)

$(PFMON_I386)/%.o: tools/pfmon/%.c | $(B)/deps/tools.stamp $(B)/deps/lib.stamp
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -m32 $(PFMON_CPPFLAGS) $(USER_CFLAGS) -MMD -MP \
		-c -o $@ $<

$(B)/guest/pfmon-i386: $(PFMON_I386_OBJECTS) $(LIB_I386)/libpfm.a \
		$(SYSROOT_I386)/complete
	$(call say,LD $@)
	$(Q)$(CC) -m32 -static -o $@ $(filter %.o %.a,$^) \
		$(SYSROOT_I386)/usr/lib/i386-linux-gnu/libjson-c.a

-include $(PFMON_I386_OBJECTS:.o=.d)
