# SPDX-License-Identifier: GPL-2.0-only
#
# What a boot of the test machine is told and what it needs, by what was chosen on
# the command line: CPU=, SMP=, ARCH=, KIND=, ACCEL=. For the targets that boot
# (mk/bench.mk, mk/fuzz.mk, mk/guest.mk), which name these as prerequisites.

# What somebody has said, as opposed to our defaults.
chosen = $(if $(filter file,$(origin $(1))),,$(2))

GUEST_OPTIONS = --build $(B) --accel $(ACCEL) \
	$(patsubst %,--kind %,$(filter-out plain,$(KIND)))

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
