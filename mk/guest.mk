# SPDX-License-Identifier: GPL-2.0-only
#
# The guests: their initial file systems, and the targets that boot them, but for
# those of the benchmarks (bench.mk) and of the fuzzer (fuzz.mk). Which boots a check
# consists of is the subject of tests/guest/plan; mk/boot.mk has the choice among
# them.

GUEST_SCRIPTS := checks/mkinitramfs.py tests/guest/demo \
	tests/guest/demo-events mk/guest.mk

.PHONY: run run-in-order shell check-machine check-guest stress tested-on \
	check-selftest-full results-selftest \
	results-machine results-guest results-stress results-fuzz \
	$(foreach suite,rt kcsan distro kexec,check-$(suite) results-$(suite))

# What the demonstration needs, and no test programs.
DEMO_FILES = demo-$(if $(KERNEL),$(KVARIANT),$(ARCH))

run: ## [try] boot the test machine and count a program's instructions (KERNEL=stock)
	$(Q)$(call disk-space,run$(KERNEL:%=-stock))
	+$(Q)$(phase) --total run $(MAKE) $(JOBS) run-in-order

run-in-order: $(GUEST_MACHINE) $(KERNEL_IMAGE) $(B)/guest/$(DEMO_FILES).cpio
	$(call say,$(CPU): Linux with perfmon counts busybox gzip twice)
	$(Q)$(CHECKS).run_command $(GUEST_OPTIONS) --name run-$(CPU) \
		--cpu $(CPU) --arch $(ARCH) --smp $(SMP) --files $(DEMO_FILES) \
		demo $(CPU)

shell: $(GUEST_INPUTS) ## [try] boot the test machine with a shell
	$(call say,$(CPU): exit or Ctrl-A X ends)
	$(Q)$(CHECKS).run_command $(GUEST_OPTIONS) --name shell-$(CPU) \
		--cpu $(CPU) --arch $(ARCH) --smp $(SMP)

check-machine: results-machine ## [test] check the test machine with perf_event as judge
	$(Q)$(CHECKS).results $(B)/results machine

check-guest: results-guest ## [test] run the selftests in the guests (CPU=, SMP=, DEBUG=1)
	$(Q)$(CHECKS).results $(B)/results guest

# What takes long, always with the kernel that looks at itself; fuzz is in fuzz.mk.
stress: ## [longer] everything at once for ten minutes of guest time, debug kernel (PFM_STRESS_SEED=)
	+$(Q)$(MAKE) DEBUG=1 results-$@
	$(Q)$(CHECKS).results $(B)/results $@

# Suites with a kernel of their own, beside that of make check.
check-rt: results-rt ## [longer] run the selftests on a PREEMPT_RT kernel
check-kcsan: results-kcsan ## [longer] look for data races in perfmon
check-distro: results-distro ## [longer] run the selftests on a kernel like a distribution's

# What --self-test=full says of each processor.
check-selftest-full: results-selftest ## [longer] let pfmon --self-test=full judge every processor
	$(Q)$(CHECKS).results $(B)/results selftest

results-selftest: $(if $(call chosen,CPU,chosen),$(GUEST_INPUTS),\
		$(call guest_inputs,x86_64 i386))
	$(Q)$(CHECKS).run_guest selftest --build $(B) --accel $(ACCEL) $(GUEST_CHOICE)

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
	$(Q)$(call suite,$*) $(CHECKS).run_guest $* $(PLAN_OPTIONS) $(GUEST_CHOICE)
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

# What pfmon annotate loads, which no program of the guest is linked with: large, and
# with the tools, so that no other boot has it.
guest_capstone = $$(for file in /usr/lib/x86_64-linux-gnu/libcapstone.so.[0-9]; do \
	[ ! -e $$file ] || echo /tests/tools/$${file\#\#*/}=$$file; done)

# One for each variant of the kernel, because of the modules.

$(patsubst %,$(B)/guest/%.cpio,$(filter x86_64%,$(KVARIANTS))): $(B)/guest/%.cpio: \
		$(B)/guest/init-x86_64 $(GUEST_SCRIPTS) $(B)/tools/pfmon $(PROFILE) $(TOP) \
		$(LIB_X86_64)/libpfm.so.3 $(LIB_I386)/libpfm.so.3 \
		$(NEXT_INITRD) $(B)/kernel/%/bzImage $(call test-modules,%) $(EXAMPLES) $(EXAMPLES_I386) \
		$(TUTORIAL_FILES_x86_64) $(TUTORIAL_FILES_i386) \
		$(GUEST_PROGRAMS_x86_64) $(GUEST_PROGRAMS_i386) \
		$(TOOL_PROGRAMS) tests/tools/tap tests/tools/covered tests/tools/recorded $(TRUTH_FILES) $(PFMON_GROUPS)
	$(call say,guest $*)
	$(Q)$(CHECKS).mkinitramfs --output $@ --busybox /bin/busybox \
		--library-path $(CURDIR)/$(LIB_X86_64):$(CURDIR)/$(LIB_I386) \
		/init=$(B)/guest/init-x86_64 /usr/bin/pfmon=$(B)/tools/pfmon \
		/usr/libexec/pfmon/profile=$(PROFILE) /usr/libexec/pfmon/top=$(TOP) \
		$(guest_capstone) \
		/usr/bin/demo=tests/guest/demo \
		/etc/demo-events=tests/guest/demo-events \
		$(call guest_tests,/modules,$(call test-modules,$*)) \
		$(GUEST_EXAMPLES_x86_64) $(GUEST_EXAMPLES_32) \
		$(GUEST_TUTORIAL_x86_64) $(GUEST_TUTORIAL_32) \
		$(GUEST_TOOLS_x86_64) $(call next_kernel,$*) \
		$(call guest_tests,/tests,$(GUEST_PROGRAMS_x86_64)) \
		$(call guest_tests,/tests/32,$(GUEST_PROGRAMS_i386))

$(patsubst %,$(B)/guest/%.cpio,$(filter i386%,$(KVARIANTS))): $(B)/guest/%.cpio: \
		$(B)/guest/init-i386 $(GUEST_SCRIPTS) $(B)/guest/pfmon-i386 \
		$(LIB_I386)/libpfm.so.3 $(call test-modules,%) \
		$(EXAMPLES_I386) $(TUTORIAL_FILES_i386) $(GUEST_PROGRAMS_i386) \
		$(filter $(TOOLS_DIR)/i386/%,$(TOOL_PROGRAMS)) tests/tools/tap tests/tools/recorded $(TRUTH_FILES) $(PFMON_GROUPS)
	$(call say,guest $*)
	$(Q)$(CHECKS).mkinitramfs --output $@ --busybox $(SYSROOT_I386)/bin/busybox \
		--library-path $(CURDIR)/$(LIB_I386) \
		/init=$(B)/guest/init-i386 /usr/bin/pfmon=$(B)/guest/pfmon-i386 \
		/usr/bin/demo=tests/guest/demo \
		/etc/demo-events=tests/guest/demo-events \
		$(call guest_tests,/modules,$(call test-modules,$*)) \
		$(GUEST_EXAMPLES_i386) $(GUEST_TUTORIAL_i386) \
		$(GUEST_TOOLS_i386) \
		$(call guest_tests,/tests,$(GUEST_PROGRAMS_i386))

# A static 32-bit pfmon and busybox for the 32-bit guests, with what Debian has
# for i386; the headers are the host's.

PFMON_I386 := $(B)/guest/pfmon-i386.d
PFMON_I386_OBJECTS := $(PFMON_SOURCES:tools/pfmon/%.c=$(PFMON_I386)/%.o)

$(eval $(call object-rule,$(PFMON_I386)/%.o,tools/pfmon/%.c,\
	$$(CC) -m32 $$(PFMON_CPPFLAGS) $$(USER_CFLAGS),tools lib))

$(B)/guest/pfmon-i386: $(PFMON_I386_OBJECTS) $(LIB_I386)/libpfm.a \
		$(SYSROOT_I386)/complete
	$(call say,LD $@)
	$(Q)$(CC) -m32 -static -o $@ $(filter %.o %.a,$^) \
		$(SYSROOT_I386)/usr/lib/i386-linux-gnu/libjson-c.a

-include $(PFMON_I386_OBJECTS:.o=.d)
