# SPDX-License-Identifier: GPL-2.0-only
#
# check-libraries: the libraries with which people count, PAPI above all, over perfmon
# (checks/libraries/). PAPI is Debian's source with the component of examples/papi/.

PAPI := $(B)/papi
PAPI_BUILT := $(PAPI)/built/src
PAPI_FIRST := $(PAPI)/first/src
PAPI_TESTS := tests/libraries
PAPI_PROGRAMS := $(PAPI)/papi_counts $(PAPI)/papi_read_cost
PAPI_TOOLS := papi_avail papi_component_avail papi_cost papi_native_avail
PAPI_GUEST := $(B)/guest/libraries.cpio

.PHONY: check-libraries

# Debian 12 and 13 have PAPI 7: this one's, or another's if its mirror lacks it.
$(PAPI)/version: scripts/papi-source scripts/apt-state | $(B)/deps/papi.stamp
	$(call say,the source of PAPI)
	$(Q)$< $(PAPI) $(RELEASE) $(filter-out $(RELEASE),bookworm trixie)

$(PAPI)/built.stamp: $(PAPI)/version scripts/build-papi $(LIB_HEADERS) \
		$(wildcard examples/papi/perfmon/*)
	$(call say,PAPI with perfmon)
	$(Q)$(phase) --log $(PAPI)/build.log papi scripts/build-papi $(PAPI) lib/include
	$(Q)touch $@

$(PAPI)/papi_counts: $(addprefix $(PAPI_TESTS)/,papi_counts.c papi_names.c papi_processes.c)
$(PAPI)/papi_read_cost: $(PAPI_TESTS)/papi_read_cost.c
$(PAPI_PROGRAMS): $(PAPI_TESTS)/counting.c $(wildcard $(PAPI_TESTS)/*.h) $(PAPI)/built.stamp
	$(call say,CC $@)
	$(Q)$(CC) $(USER_CFLAGS) -isystem $(PAPI_BUILT) $(LDFLAGS) -o $@ $(filter %.c,$^) \
		-L$(PAPI_BUILT) -lpapi -lpthread

# What dlopen() loads is named: libpfm.so.3, and what pthread_exit() wants. The list of
# PAPI's tests says which ones come along.
papi-tests = $$(sed -n 's/^\([a-z0-9][^[:space:]]*\)[[:space:]]*\(passes\|fails\).*/\1/p' \
	$(PAPI_TESTS)/ctests)
$(PAPI_GUEST): $(PAPI_PROGRAMS) $(PAPI)/built.stamp $(wildcard $(PAPI_TESTS)/*) \
		$(B)/guest/init-x86_64 $(GUEST_SCRIPTS) tests/tools/tap $(OTHER_EXAMPLES) \
		$(LIB_X86_64)/libpfm.so.3 mk/libraries.mk | $(B)/deps/guest.stamp
	$(call say,guest with PAPI)
	$(Q)$(CHECKS).mkinitramfs --output $@ --busybox /bin/busybox \
		--library-path $(CURDIR)/$(PAPI_BUILT):$(CURDIR)/$(LIB_X86_64) \
		/init=$(B)/guest/init-x86_64 /usr/lib/libpfm.so.3=$(LIB_X86_64)/libpfm.so.3 \
		/usr/lib/libgcc_s.so.1=$$($(CC) -print-file-name=libgcc_s.so.1) \
		/papi/tools/tap=tests/tools/tap /papi/ctests=$(PAPI_TESTS)/ctests \
		$(foreach file,libraries_in_guest ctests_in_guest,/papi/$(file)=$(PAPI_TESTS)/$(file)) \
		$(foreach file,$(PAPI_PROGRAMS) $(OTHER_EXAMPLES),/papi/$(notdir $(file))=$(file)) \
		$(foreach tool,$(PAPI_TOOLS),/papi/$(tool)=$(PAPI_BUILT)/utils/$(tool)) \
		$$(for file in $(PAPI_FIRST)/libpapi.so.7.?; do echo /papi/first/$${file##*/}=$$file; done) \
		$$(for test in $(papi-tests); do echo /papi/c/$$test=$(PAPI_BUILT)/ctests/$$test; done)

check-libraries: $(PAPI_GUEST) $(GUEST_MACHINE) $(B)/kernel/x86_64/bzImage ## [longer] PAPI with the component of examples/papi/, its own tests, Google Benchmark, C++ and Rust, in the guest
	$(Q)$(phase) libraries $(CHECKS).libraries $(B) $(CPU)
