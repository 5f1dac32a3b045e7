# SPDX-License-Identifier: GPL-2.0-only
#
# The test machine: QEMU with the PMU model of machine/pmu/, the programs that
# judge it from inside a guest, and the unit tests of the model.

MACHINE := $(B)/machine
QEMU := $(MACHINE)/qemu-system-x86_64
PMU_HEADERS := $(wildcard machine/pmu/*.h)
PMU_SOURCES := $(wildcard machine/pmu/*.c)
JUDGE_SOURCES := $(wildcard machine/judge/*.c)
JUDGE_HEADERS := $(wildcard machine/judge/*.h)

.PHONY: machine check-unit-pmu pmu-constraints
machine: $(QEMU) ## [build] build the test machine, a QEMU with a PMU

$(QEMU): machine/qemu/qemu-10.0.patch machine/qemu/build-qemu \
		machine/qemu/fetch-source scripts/apt-state $(wildcard machine/qemu/*.[ch]) \
		$(PMU_HEADERS) $(PMU_SOURCES) | $(B)/deps/machine.stamp
	$(call say,QEMU with the PMU model)
	$(Q)$(phase) --far 'ninja $(MACHINE)/build.log' QEMU \
		machine/qemu/build-qemu '$(PERFMON_CACHE)' $(MACHINE)

# Programs for the guest.

JUDGES := $(MACHINE)/x86_64/judge $(MACHINE)/i386/judge
GUEST_PROGRAMS_x86_64 += $(MACHINE)/x86_64/judge
GUEST_PROGRAMS_i386 += $(MACHINE)/i386/judge

$(MACHINE)/x86_64/judge: JUDGE_BITS := -m64
$(MACHINE)/i386/judge: JUDGE_BITS := -m32 -march=i686
# A turn of a loop has one branch: gcc 14 unrolls small loops at -O2.
$(JUDGES): $(JUDGE_SOURCES) $(JUDGE_HEADERS) machine/pmu/pmu_stats.h \
		| $(B)/deps/guest.stamp
	$(call say,CC $@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -O2 -fno-unroll-loops $(JUDGE_BITS) $(WARNINGS) -Imachine/pmu \
		-static -pthread -o $@ $(JUDGE_SOURCES)

# Unit tests of the model: one program for each file, with sanitizers.

PMU_TEST_DIR := $(B)/unit/pmu
PMU_TEST_FLAGS := -std=c11 -O1 -g $(WARNINGS) -Imachine/pmu \
	-fsanitize=address,undefined -fno-sanitize-recover=all
PMU_TESTS := $(patsubst machine/unit/%.c,$(PMU_TEST_DIR)/%, \
	$(wildcard machine/unit/test_*.c))
PMU_TEST_OBJECTS := $(PMU_SOURCES:machine/pmu/%.c=$(PMU_TEST_DIR)/obj/%.o)
UNIT_PROGRAMS += $(PMU_TESTS)

$(eval $(call object-rule,$(PMU_TEST_DIR)/obj/%.o,machine/pmu/%.c,\
	$$(CC) $$(PMU_TEST_FLAGS),unit,$(PMU_HEADERS)))

$(PMU_TESTS): $(PMU_TEST_DIR)/%: machine/unit/%.c $(PMU_TEST_OBJECTS) \
		$(wildcard machine/unit/*.h) | $(B)/deps/unit.stamp
	$(call say,CC $@)
	$(Q)$(CC) $(PMU_TEST_FLAGS) -o $@ $< $(PMU_TEST_OBJECTS) -lcmocka

check-unit-pmu: $(PMU_TESTS)
	$(Q)for test in $^; do $$test; done

# Which counters count which events, from the sources of Linux.

pmu-constraints: $(B)/linux/source ## [maintain] make the machine's table of counter constraints from Linux' sources
	$(Q)$(CHECKS).pmu_constraints write "$$(cat $<)"
