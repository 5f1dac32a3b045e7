# SPDX-License-Identifier: GPL-2.0-only
#
# The tests of the documentation.
#
# The tutorial (Documentation/tutorial.rst): its programs are compiled
# here by the commands of the page, against the library as it is installed; its
# other commands run in the guests (tests/tutorial/tutorial_run), in /tests/tutorial.

TUTORIAL := Documentation/tutorial.rst
TUTORIAL_DIR := $(B)/tutorial
TUTORIAL_PROGRAMS := loop count self multiplex sampling attach system-wide
TUTORIAL_FILES_x86_64 := $(addprefix $(TUTORIAL_DIR)/x86_64/,steps $(TUTORIAL_PROGRAMS))
TUTORIAL_FILES_i386 := $(addprefix $(TUTORIAL_DIR)/i386/,steps $(TUTORIAL_PROGRAMS))

GUEST_PROGRAMS_x86_64 += tests/tutorial/tutorial_run
GUEST_PROGRAMS_i386 += tests/tutorial/tutorial_run

# In the guest; /tests/32/tutorial beside it, and the only one in a 32-bit guest.
tutorial-guest-paths = $(foreach file,$(2),$(1)/tutorial/$(notdir $(file))=$(file))
GUEST_TUTORIAL_x86_64 := $(call tutorial-guest-paths,/tests,$(TUTORIAL_FILES_x86_64))
GUEST_TUTORIAL_i386 := $(call tutorial-guest-paths,/tests,$(TUTORIAL_FILES_i386))
GUEST_TUTORIAL_32 := $(call tutorial-guest-paths,/tests/32,$(TUTORIAL_FILES_i386))

# The library as programs find it.
$(TUTORIAL_DIR)/x86_64-installed/stamp: $(LIB_INSTALLED) $(LIB_HEADERS) lib/libpfm.pc.in
	$(Q)rm -rf $(@D)
	+$(Q)$(MAKE) install-lib DESTDIR= PREFIX='$(abspath $(@D))'
	$(Q)touch $@

$(TUTORIAL_DIR)/i386-installed/stamp: $(LIB_I386)/libpfm.so $(LIB_I386)/libpfm.a \
		$(LIB_HEADERS) lib/libpfm.pc.in
	$(Q)rm -rf $(@D)
	+$(Q)$(MAKE) install-lib32 DESTDIR= PREFIX='$(abspath $(@D))' \
		LIBDIR32='$(abspath $(@D))/lib'
	$(Q)touch $@

# The page says "cc", whatever CC is and for which word size.
# tutorial-rule ARCH COMPILER-FLAG
define tutorial-rule
$(TUTORIAL_FILES_$(1)) &: $(TUTORIAL) checks/tutorial.py mk/tutorial.mk \
		$(wildcard examples/*.c) $(TUTORIAL_DIR)/$(1)-installed/stamp
	$$(call say,CC $(TUTORIAL_DIR)/$(1))
	$$(Q)rm -rf $(TUTORIAL_DIR)/$(1) && mkdir -p $(TUTORIAL_DIR)/$(1)-bin $(TUTORIAL_DIR)/$(1)
	$$(Q)printf '#!/bin/sh\nexec %s %s "$$$$@"\n' "$$$$(command -v $(CC))" $(2) \
		> $(TUTORIAL_DIR)/$(1)-bin/cc
	$$(Q)chmod +x $(TUTORIAL_DIR)/$(1)-bin/cc
	$$(Q)PATH='$(abspath $(TUTORIAL_DIR)/$(1)-bin)':"$$$$PATH" \
		PKG_CONFIG_PATH='$(abspath $(TUTORIAL_DIR)/$(1)-installed)/lib/pkgconfig' \
		$(CHECKS).tutorial $(TUTORIAL) examples $(TUTORIAL_DIR)/$(1)
endef

$(eval $(call tutorial-rule,x86_64,-m64))
$(eval $(call tutorial-rule,i386,-m32))

# The test of the tutorial itself: it must fail for a wrong page.
UNIT_PROGRAMS += tests/tutorial/check-itself

# The commands that README.md and the examples name compile the examples.
UNIT_PROGRAMS += $(B)/unit/examples/test_commands
$(B)/unit/examples/test_commands: tests/tutorial/check-commands \
		$(TUTORIAL_DIR)/x86_64-installed/stamp
	$(Q)mkdir -p $(@D)
	$(Q)printf '#!/bin/sh\nexec %s %s\n' $< \
		'$(abspath $(TUTORIAL_DIR)/x86_64-installed)' > $@ && chmod +x $@

# The names of the glossary exist.
.PHONY: lint-glossary
lint: lint-glossary
lint-glossary:
	$(call say,lint glossary)
	$(Q)scripts/check-glossary
