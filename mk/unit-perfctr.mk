# SPDX-License-Identifier: GPL-2.0-only
#
# The unit tests of the perfctr low-level core: arch/x86/perfmon/ as it is,
# compiled for user space with sanitizers between the headers of
# tests/unit/perfctr/include/ and the PMU model (mk/machine.mk).

PERFCTR_DIR := $(B)/unit/perfctr
PERFCTR_SOURCES := $(filter-out %/area_builtin.c,\
	$(wildcard $(addprefix arch/x86/perfmon/,*.c ibs/*.c interrupt/*.c lbr/*.c pebs/*.c)))
PERFCTR_TESTS := $(patsubst tests/unit/perfctr/%.c,$(PERFCTR_DIR)/%, \
	$(wildcard tests/unit/perfctr/test_*.c))
PERFCTR_KERNEL_OBJECTS := \
	$(PERFCTR_SOURCES:arch/x86/perfmon/%.c=$(PERFCTR_DIR)/kernel/%.o)
# What the test programs share, without the directory.
PERFCTR_SHARED := $(patsubst tests/unit/perfctr/%.c,%.o, \
	$(wildcard tests/unit/perfctr/harness/*.c))
PERFCTR_TEST_OBJECTS := $(addprefix $(PERFCTR_DIR)/,$(PERFCTR_SHARED)) \
	$(PMU_TEST_OBJECTS)
UNIT_PROGRAMS += $(PERFCTR_TESTS)

# Headers that the kernel's sources name, by the header of the tests that has
# what they want of them.
PERFCTR_FORWARDS := \
	$(patsubst %,linux/%:linux/kernel,array_size atomic bitops bits bug build_bug \
		compiler kstrtox sprintf export init interrupt jiffies kprobes math64 minmax nospec printk \
		ptrace time64) \
	$(patsubst %,linux/%:linux/cpu,cpuhotplug cpumask irqflags mutex nmi smp \
		notifier reboot syscore_ops) \
	$(patsubst %,asm/%:asm/processor,cpufeature cpuid processor-flags special_insns) \
	linux/topology:asm/processor \
	linux/mm:linux/gfp \
	linux/sched/clock:asm/msr \
	$(patsubst %,linux/%:linux/static_call,jump_label) \
	$(patsubst %,asm/%:asm/apic,idtentry irq_regs irq_vectors) \
	$(patsubst %,asm/%:asm/msr,msr-index perfmon_compat timer tsc) \
	asm/mmu_context:asm/perf_event \
	uapi/linux/perfmon:uapi/perfmon \
	uapi/linux/perfmon_precise_smpl:uapi/perfmon_precise_smpl

PERFCTR_INCLUDES := -Itests/unit/perfctr/include -I$(PERFCTR_DIR)/include \
	-Iarch/x86/include -Iinclude
PERFCTR_FLAGS := -std=gnu11 -O1 -g $(WARNINGS) $(PERFCTR_INCLUDES) \
	-DCONFIG_PERFMON=1 -DCONFIG_HARDLOCKUP_DETECTOR_PERF=1 \
	-DCONFIG_PERFCTR_INTERRUPT_SUPPORT=1 \
	-DCONFIG_PERFCTR_CPUS_FORBIDDEN_MASK=1 \
	-fsanitize=address,undefined -fno-sanitize-recover=all
# Not warned of in the kernel either.
PERFCTR_KERNEL_FLAGS := $(PERFCTR_FLAGS) -Wno-unused-parameter \
	-Wno-sign-compare
PERFCTR_TEST_FLAGS := $(PERFCTR_FLAGS) -Itests/unit/perfctr/harness \
	-Iarch/x86/perfmon -Imachine/pmu
PERFCTR_HEADERS := $(wildcard tests/unit/perfctr/harness/*.h \
	tests/unit/perfctr/include/*/*.h arch/x86/perfmon/*.h arch/x86/perfmon/lbr/*.h \
	arch/x86/perfmon/pebs/*.h \
	arch/x86/include/asm/*.h include/linux/*.h include/uapi/*.h) \
	$(PMU_HEADERS) $(PERFCTR_DIR)/include.stamp

.PHONY: check-unit-perfctr coverage-perfctr

$(PERFCTR_DIR)/include.stamp: mk/unit-perfctr.mk | $(B)/deps/unit.stamp
	$(Q)for forward in $(PERFCTR_FORWARDS); do \
		header=$(PERFCTR_DIR)/include/$${forward%:*}.h; \
		mkdir -p $${header%/*}; \
		echo "#include <$${forward#*:}.h>" > $$header; \
	done
	$(Q)touch $@

$(eval $(call object-rule,$(PERFCTR_DIR)/kernel/%.o,arch/x86/perfmon/%.c,\
	$$(CC) $$(PERFCTR_KERNEL_FLAGS),unit,$(PERFCTR_HEADERS)))

$(eval $(call object-rule,$(PERFCTR_DIR)/%.o,tests/unit/perfctr/%.c,\
	$$(CC) $$(PERFCTR_TEST_FLAGS),unit,$(PERFCTR_HEADERS)))

$(PERFCTR_TESTS): $(PERFCTR_DIR)/%: $(PERFCTR_DIR)/%.o \
		$(PERFCTR_KERNEL_OBJECTS) $(PERFCTR_TEST_OBJECTS)
	$(call say,LD $@)
	$(Q)$(CC) $(PERFCTR_FLAGS) -o $@ $^ -lcmocka

# Whether the layouts are those of the documents is known when this compiles.
$(PERFCTR_DIR)/abi.stamp: tests/unit/perfctr/abi.c $(PERFCTR_HEADERS) \
		| $(B)/deps/guest.stamp
	$(Q)for bits in -m64 -m32; do \
		$(CC) $(PERFCTR_TEST_FLAGS) $$bits -fno-sanitize=all \
			-fsyntax-only $<; \
	done
	$(Q)touch $@

# The README maps the documents' sentences to names of tests.
$(PERFCTR_DIR)/readme.stamp: tests/unit/perfctr/README.md \
		$(wildcard tests/unit/perfctr/*.c)
	$(Q)mkdir -p $(@D)
	$(Q)for name in $$(grep -oE '`[a-z0-9]+(_[a-z0-9]+){3,}`' $< | \
			tr -d '`' | grep -v ^perfctr_); do \
		grep -qE "(^|void )$$name\(" tests/unit/perfctr/test_*.c || \
			{ echo "$<: no test $$name" >&2; exit 1; }; \
	done
	$(Q)touch $@

$(PERFCTR_TESTS): | $(PERFCTR_DIR)/abi.stamp $(PERFCTR_DIR)/readme.stamp

# A million random controls need a compiler that optimises, and no sanitizers.

PERFCTR_FAST := $(PERFCTR_DIR)/fast
PERFCTR_FAST_FLAGS := $(filter-out -O1 -fsanitize=% -fno-sanitize%, \
	$(PERFCTR_FLAGS)) -O3 -flto=auto -DCONTROLS=1000000
PERFCTR_FAST_TEST := $(PERFCTR_FAST)/test_perfctr_random
UNIT_PROGRAMS += $(PERFCTR_FAST_TEST)

$(eval $(call object-rule,$(PERFCTR_FAST)/kernel/%.o,arch/x86/perfmon/%.c,\
	$$(CC) $$(PERFCTR_FAST_FLAGS) -Wno-unused-parameter -Wno-sign-compare,unit,$(PERFCTR_HEADERS)))

$(eval $(call object-rule,$(PERFCTR_FAST)/pmu/%.o,machine/pmu/%.c,\
	$$(CC) $$(PERFCTR_FAST_FLAGS) -Imachine/pmu,unit,$(PERFCTR_HEADERS)))

$(eval $(call object-rule,$(PERFCTR_FAST)/%.o,tests/unit/perfctr/%.c,\
	$$(CC) $$(PERFCTR_FAST_FLAGS) -Itests/unit/perfctr/harness \
	-Iarch/x86/perfmon -Imachine/pmu,unit,$(PERFCTR_HEADERS)))

$(PERFCTR_FAST_TEST): $(PERFCTR_FAST_TEST).o \
		$(addprefix $(PERFCTR_FAST)/,$(PERFCTR_SHARED)) \
		$(PERFCTR_SOURCES:arch/x86/perfmon/%.c=$(PERFCTR_FAST)/kernel/%.o) \
		$(PMU_SOURCES:machine/pmu/%.c=$(PERFCTR_FAST)/pmu/%.o)
	$(call say,LD $@)
	$(Q)$(CC) -O3 -flto=auto -o $@ $^ -lcmocka

check-unit-perfctr: $(PERFCTR_TESTS) $(PERFCTR_FAST_TEST)
	$(Q)for test in $^; do $$test; done

# The same programs with the kernel's part compiled for gcov. It is an error if
# less than this percentage of the lines of a file is executed.
PERFCTR_LEAST_COVERAGE := 95

PERFCTR_COVERAGE := $(PERFCTR_DIR)/coverage
PERFCTR_COVERAGE_TESTS := \
	$(PERFCTR_TESTS:$(PERFCTR_DIR)/%=$(PERFCTR_COVERAGE)/%)
PERFCTR_COVERAGE_OBJECTS := \
	$(PERFCTR_KERNEL_OBJECTS:$(PERFCTR_DIR)/%=$(PERFCTR_COVERAGE)/%)

$(eval $(call object-rule,$(PERFCTR_COVERAGE)/kernel/%.o,arch/x86/perfmon/%.c,\
	$$(CC) $$(PERFCTR_KERNEL_FLAGS) -O0 --coverage,unit,$(PERFCTR_HEADERS)))

$(PERFCTR_COVERAGE_TESTS): $(PERFCTR_COVERAGE)/%: $(PERFCTR_DIR)/%.o \
		$(PERFCTR_COVERAGE_OBJECTS) $(PERFCTR_TEST_OBJECTS)
	$(Q)$(CC) $(PERFCTR_FLAGS) --coverage -o $@ $^ -lcmocka

coverage-perfctr: $(PERFCTR_COVERAGE_TESTS) ## [maintain] line coverage of arch/x86/perfmon/ by its unit tests
	$(Q)rm -f $(PERFCTR_COVERAGE)/kernel/*.gcda
	$(Q)for test in $^; do CMOCKA_MESSAGE_OUTPUT=TAP $$test > /dev/null; done
	$(Q)gcov -n $(PERFCTR_COVERAGE)/kernel/*.gcda | awk -F "'" ' \
		/^File/ { file = $$2 } \
		/^Lines/ && file ~ /^arch.*\.c$$/ { \
			print "  " file ": " $$0; \
			split($$0, part, /[:%]/); \
			low += part[2] + 0 < $(PERFCTR_LEAST_COVERAGE); \
			files++ \
		} \
		/^Lines/ { file = "" } \
		END { \
			if (low) print low " below $(PERFCTR_LEAST_COVERAGE) %"; \
			exit low || files != $(words $(PERFCTR_SOURCES)) \
		}'
