# SPDX-License-Identifier: GPL-2.0-only
#
# The one entry point of the project: `make help` lists what it can do.
#
# This file owns the variables that people set, the help text and the order of
# the parts. Each part of the system has its rules in one file under mk/.
#
# What the parts offer to each other:
#   $(Q)                      "@", nothing with V=1
#   $(call say,TEXT)          a recipe line that prints one line of progress
#   $(phase) NAME COMMAND     a long step: its time, and how far it is (scripts/phase)
#   $(call object-rule,...)   the rule for the objects of a folder (mk/cc.mk)
#   $(B)/deps/SET.stamp       order-only prerequisite: the Debian packages of
#                             SET (scripts/packages) are installed
#   UNIT_PROGRAMS += FILE     cmocka programs that check-unit builds and runs
#   GUEST_PROGRAMS_x86_64 +=  static test programs that appear as
#   GUEST_PROGRAMS_i386   +=  /tests/NAME in the guest of that architecture
#                             (and the i386 ones as /tests/32/NAME in the other)
#
# A target with "## [group] text" after its prerequisites is listed by `make help`.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules --no-print-directory

B := build

## CPU=NAME            processor of the test machine (machine/cpus), default zen1
CPU ?= zen1
## SMP=N               number of processors, default 1
SMP ?= 1
## ARCH=x86_64|i386    kernel and programs, default: what CPU runs
## DEBUG=1             the kernel with KASAN, lockdep and kmemleak, whatever runs
DEBUG ?= 0
## KIND=NAME           another kernel (mk/kernel.mk); of check-guest, the boots with it
KIND ?= $(if $(filter 1,$(DEBUG)),debug)
## KERNEL=stock        of run, shell, bench: Debian's own kernel with the module, and none is built; or 6.1 (Debian 12), 6.12, 6.12-deb13, 7.2, 7.3 (Debian 13's); debug builds one
KERNEL ?=
## V=1                 show every command
V ?= 0
## ACCEL=kvm           run on this host's virtual PMU instead of the model
ACCEL ?= tcg
## KERNEL=patched-7.3  of all that has the patched kernel: it is Linux 7.3, below build/patched-7.3
## LINUX_SRC=PATH      a tarball or tree of that Linux instead of the Debian package
LINUX_SRC ?=
## PERFMON_CACHE=DIR   unpacked sources, QEMU, ccache; default ~/.cache/perfmon
PERFMON_CACHE ?= $(HOME)/.cache/perfmon

# The Python package checks/: $(CHECKS).NAME runs one of its modules.
CHECKS := python3 -m checks
export PYTHONPYCACHEPREFIX := $(CURDIR)/$(B)/pycache

Q := $(if $(filter 1,$(V)),,@)
say = @printf '  %s\n' '$(strip $(1))'
phase = B=$(B) V=$(V) scripts/phase
# suite NAME,NOUN: a phase that runs a suite of tests, boots if they have no NOUN.
suite = $(phase) --far 'results $(B)/results/$(1) $(or $(2),boots)' check-$(1)
# As many jobs as the host has processors, unless somebody has said how many.
JOBS = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(KJOBS))
disk-space = scripts/disk-space $(1) $(B) '$(PERFMON_CACHE)'

# Debian's kernels of this release, oldest first: Debian 12 has two, later ones one.
RELEASE := $(shell . /etc/os-release && echo "$${VERSION_CODENAME:-}")
STOCK_SERIES := $(if $(filter bookworm,$(RELEASE)),6.1) 6.12
STOCK_FIRST := $(firstword $(STOCK_SERIES))
# Those of Debian 13 and its backports, on any release.
STOCK_OTHERS := $(if $(filter bookworm,$(RELEASE)),6.12-deb13) 7.2 7.3
# Those that make check boots too, each on one processor.
STOCK_NEWER := $(filter-out 7.2,$(STOCK_OTHERS))
STOCK_KINDS := $(STOCK_SERIES:%=stock%) $(STOCK_OTHERS:%=stock%) stockdebug
KINDS := plain debug distro rt kcsan gcov fleet bench $(STOCK_KINDS)

# The Linux that is patched: the series with the longest support, unless another was
# chosen. Everything that is built for another lies in a directory of its own.
LINUX := 6.12
PATCHED := patched-7.3
LINUX_OTHER := $(filter $(PATCHED),$(KERNEL))
ifdef LINUX_OTHER
LINUX := $(LINUX_OTHER:patched-%=%)
B := $(B)/$(LINUX_OTHER)
override KERNEL :=
endif
PATCHES := patches/linux-$(if $(LINUX_OTHER),7.x,$(LINUX))

ifdef KERNEL
override KIND := stock$(KERNEL:stock=$(STOCK_FIRST))
endif
CPU_NAMES := $(shell awk '/^[a-z0-9]/ { print $$1 }' machine/cpus)
CPU_NAMES_I386 := $(shell awk '$$2 == "i386" { print $$1 }' machine/cpus)
ifndef ARCH
ARCH := $(shell awk -v cpu='$(CPU)' '$$1 == cpu { print $$2 }' machine/cpus)
endif

# A wrong value ends here with one line, whatever the target.
ifneq ($(filter-out help deps clean distclean,$(MAKECMDGOALS)),)
ifeq ($(filter $(CPU),$(CPU_NAMES)),)
$(error CPU=$(CPU): no such processor; known are: $(CPU_NAMES))
endif
ifneq ($(filter-out stock $(STOCK_KINDS:stock%=%),$(KERNEL)),)
$(error KERNEL=$(KERNEL): must be stock, $(STOCK_SERIES:%=%,) $(STOCK_OTHERS:%=%,) debug or $(PATCHED))
endif
ifneq ($(filter-out $(KINDS),$(KIND)),)
$(error KIND=$(KIND): no such kernel; known are: $(KINDS))
endif
ifeq ($(filter $(ARCH),x86_64 i386),)
$(error ARCH=$(ARCH): must be x86_64 or i386)
endif
ifeq ($(ARCH) $(filter $(CPU),$(CPU_NAMES_I386)),x86_64 $(CPU))
$(error ARCH=x86_64: CPU=$(CPU) has no 64-bit mode)
endif
ifneq ($(if $(filter $(STOCK_KINDS),$(KIND)),$(filter-out x86_64,$(ARCH))),)
$(error CPU=$(CPU): needs a 32-bit kernel, and the module is for 64-bit ones)
endif
ifeq ($(filter $(ACCEL),tcg kvm),)
$(error ACCEL=$(ACCEL): must be tcg or kvm)
endif
ifeq ($(ACCEL),kvm)
KVM_TROUBLE := $(shell machine/machine --check-kvm 2>&1)
ifneq ($(KVM_TROUBLE),)
$(error ACCEL=kvm: $(strip $(KVM_TROUBLE:machine:=)))
endif
endif
ifneq ($(filter-out 1 2 3 4 5 6 7 8,$(SMP)),)
$(error SMP=$(SMP): must be 1 to 8)
endif
endif

UNIT_PROGRAMS :=
GUEST_PROGRAMS_x86_64 :=
GUEST_PROGRAMS_i386 :=

help: ## [try] list the targets and variables
	$(Q)awk -v first='run shell bench help check kernel machine lib' \
		-f scripts/help.awk $(MAKEFILE_LIST)

include mk/deps.mk
include mk/cc.mk
include mk/i386.mk
include mk/kernel.mk
include mk/patch.mk
include mk/machine.mk
include mk/sysroot.mk
include mk/libpfm4.mk
include mk/lib.mk
include mk/mark.mk
include mk/examples.mk
include mk/tutorial.mk
include mk/tools.mk
include mk/truth.mk
include mk/nolibc.mk
include mk/kit.mk
include mk/selftests.mk
include mk/boot.mk
include mk/fuzz.mk
include mk/bench.mk
include mk/modules.mk
include mk/guest.mk
include mk/perf-beside.mk
include mk/module.mk
include mk/unit-lib.mk
include mk/unit-perfctr.mk
include mk/unit.mk
include mk/mutants.mk
include mk/lint.mk
include mk/install.mk
include mk/deb.mk
include mk/packaging.mk
include mk/kernel-deb.mk
include mk/fleet.mk
include mk/exports.mk
include mk/libraries.mk
include mk/hosts.mk

.PHONY: help check check-in-order clean distclean

# The module: a boot of each vendor's, unless other boots were chosen.
CHECK_STOCK := $(if $(PARTIAL),,results-stock results-newer)

check: ## [test] run all tests: check-unit, check-machine, check-guest, a part of check-module
	$(Q)$(call disk-space,check)
	+$(Q)$(phase) --total check $(MAKE) $(JOBS) check-in-order
	$(Q)$(CHECKS).results $(B)/results unit machine guest $(if $(CHECK_STOCK),module newer)

# Kernels and hundreds of programs are built as many at a time as the host has
# processors. The tests then have the host to themselves, one suite at a time.
check-in-order: results-unit results-machine results-guest $(CHECK_STOCK)

ifneq ($(filter check-in-order,$(MAKECMDGOALS)),)
results-unit: | $(UNIT_PROGRAMS) $(PLAN_INPUTS) $(if $(CHECK_STOCK),$(STOCK_INPUTS))
results-machine: | results-unit
results-guest: | results-machine
results-stock: | results-guest
results-newer: | results-stock
endif

# In one step, so that what is left when it is interrupted is not taken for a build. A
# mount point cannot be renamed.
remove = rm -rf '$(1)'.gone && { mv -T '$(1)' '$(1)'.gone 2>/dev/null || \
	rm -rf '$(1)'; } && rm -rf '$(1)'.gone

clean: ## [build] remove everything that was built
	$(Q)$(call remove,$(B))

distclean: clean ## [build] clean, and remove the cache
	$(Q)$(call remove,$(PERFMON_CACHE))
