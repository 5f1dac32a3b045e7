# SPDX-License-Identifier: GPL-2.0-only
#
# lint: the checks of what people wrote, by other means than running it.
# kernel-lint (mk/kernel.mk) compiles our part of the kernel with sparse and W=1.

LINT_CHECKS := spdx shell python format sizes spelling

.PHONY: lint lint-checkpatch lint-plan lint-errnos lint-man lint-options lint-tested-on lint-costs lint-calls \
	lint-circles lint-constraints lint-names lint-english english-allowed \
	$(LINT_CHECKS:%=lint-%)

lint: $(LINT_CHECKS:%=lint-%) lint-plan lint-errnos lint-man lint-options lint-tested-on lint-costs lint-constraints lint-names lint-english lint-i386-events lint-mutants lint-circles lint-checkpatch lint-patch lint-kselftest htmldocs lint-calls kernel-lint module-lint ## [test] checkpatch, sparse, W=1, clang-format, shellcheck, pylint, SPDX, spelling, English, sizes, circles

$(LINT_CHECKS:%=lint-%): lint-%: | $(B)/deps/lint.stamp
	$(call say,lint $*)
	$(Q)PERFMON_CACHE='$(PERFMON_CACHE)' scripts/lint $*

lint-checkpatch: $(B)/linux/tree.stamp | $(B)/deps/lint.stamp
	$(call say,lint checkpatch)
	$(Q)scripts/lint checkpatch $(B)/linux/tree

# A selftest that nobody boots would pass for ever.
lint-plan:
	$(call say,lint plan)
	$(Q)for program in $(SELFTESTS) $(NOLIBC_SELFTESTS) \
		$(V281_SELFTESTS:%=%_v281); do \
		grep -qw "$$program" tests/guest/plan mk/guest.mk || \
			{ echo "$$program: in no boot of tests/guest/plan" >&2; \
			  exit 1; }; \
	done

# Phrases and sentences that readers must read twice: no more than before.
lint-english:
	$(call say,lint English)
	$(Q)$(CHECKS).english

# After a text was made plainer.
english-allowed:
	$(Q)$(CHECKS).english --lower

# Manual pages and kernel-doc tell of the same errors.
lint-errnos: | $(B)/deps/lint.stamp
	$(call say,lint errnos)
	$(Q)$(CHECKS).errnos

# Every function of the library has a page, and the formatter is content.
lint-man: | $(B)/deps/lint.stamp
	$(call say,lint man)
	$(Q)scripts/check-man <(cat lib/libpfm.map lib/mark/libpfmark.map) \
		$(LIB_MAN3) lib/mark/pfmon-mark.3

# The pages for users of perf and of pfmon 3.9 tell of each option.
lint-options: | $(B)/deps/lint.stamp
	$(call say,lint options)
	$(Q)$(CHECKS).option_pages

# Documentation/project/ tells what was tested: of every processor that can be.
lint-tested-on: | $(B)/deps/lint.stamp
	$(call say,lint tested-on)
	$(Q)$(CHECKS).tested_on check

# It also tells of costs: as make bench printed them, below their limits.
lint-costs: | $(B)/deps/lint.stamp
	$(call say,lint costs)
	$(Q)$(CHECKS).costs

# The machine's counters count what Linux' driver puts on them, and the library
# assigns by what the event files say as well. So are its tables made from them.
lint-constraints: $(B)/linux/source
	$(call say,lint constraints)
	$(Q)$(CHECKS).pmu_constraints check "$$(cat $<)"
	$(Q)$(CHECKS).lib_constraints check "$$(cat $<)"
	$(Q)$(CHECKS).lib_events check "$$(cat $<)"

# pfmon knows the events of Linux' tables and files by name.
lint-names: $(B)/linux/source
	$(call say,lint names)
	$(Q)$(CHECKS).generic_events check "$$(cat $<)"
	$(Q)$(CHECKS).makers_events check "$$(cat $<)"
	$(Q)for source in $< $(wildcard $(B)/$(PATCHED)/linux/source); do \
		$(CHECKS).makers_metrics check "$$(cat $$source)" || exit 1; done

# The context switch calls directly and takes no lock. kernel-lint compiled it.
lint-calls: kernel-lint
	$(call say,lint calls of the context switch)
	$(Q)for variant in x86_64 i386; do \
		$(CHECKS).direct_calls $(KTREE)/o-$$variant; \
	done

# No file depends on one that depends on it, and no folder of lib/ on one above it.
LINT_CIRCLES_LIB := $(filter %.o,$(call lib-objects,$(LIB_X86_64)))
# Of the kernel's part by the names of its sources: the build directory keeps the
# objects of files that have gone.
lint-circles-kernel = $(patsubst %.c,$(call kdir,x86_64)/%.o,$(wildcard $(1)))

lint-circles: $(LINT_CIRCLES_LIB) $(B)/kernel/x86_64/bzImage
	$(call say,lint circles)
	$(Q)$(CHECKS).circles $(LINT_CIRCLES_LIB)
	$(Q)$(CHECKS).circles --folders $(LINT_CIRCLES_LIB)
	$(Q)$(CHECKS).circles $(call lint-circles-kernel,kernel/perfmon/*.c \
		kernel/perfmon/*/*.c)
	$(Q)$(CHECKS).circles $(call lint-circles-kernel,arch/x86/perfmon/*.c \
		arch/x86/perfmon/ibs/*.c arch/x86/perfmon/interrupt/*.c \
		arch/x86/perfmon/lbr/*.c arch/x86/perfmon/pebs/*.c)
