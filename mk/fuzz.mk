# SPDX-License-Identifier: GPL-2.0-only
#
# The fuzzers (tests/fuzz/). `make fuzz` boots calls/, a program that calls perfmon
# with random arguments; `make fuzz-lib` feeds libpfm what nobody would write. No
# part of check, but for a short run of calls/ (tests/guest/plan).

# The system calls: one program of several files, which links the kit (mk/kit.mk).

FUZZ_CALLS_DIR := tests/fuzz/calls
FUZZ_CALLS_PARTS := $(basename $(notdir $(wildcard $(FUZZ_CALLS_DIR)/*.c)))

GUEST_PROGRAMS_x86_64 += $(B)/fuzz-calls/x86_64/fuzz
GUEST_PROGRAMS_i386 += $(B)/fuzz-calls/i386/fuzz

# fuzz-calls-rules ARCH: objects and program of one architecture.
define fuzz-calls-rules
$(call kit-object-rule,$(B)/fuzz-calls/$(1)/obj/%.o,$(FUZZ_CALLS_DIR)/%.c,$(1),,\
	mk/fuzz.mk)

$(B)/fuzz-calls/$(1)/fuzz: $(FUZZ_CALLS_PARTS:%=$(B)/fuzz-calls/$(1)/obj/%.o) \
		$(call kit,$(1)) $(B)/lib/$(1)/libpfm.a
	$$(call say,LD $$@)
	$$(Q)$$(call kit-link,$(1)) -o $$@ $$^
endef

$(eval $(call fuzz-calls-rules,x86_64))
$(eval $(call fuzz-calls-rules,i386))

-include $(wildcard $(B)/fuzz-calls/*/obj/*.d)

## PFM_FUZZ_CALLS=N    how many calls fuzz makes, in boots of 200 000, default 1000000
PFM_FUZZ_CALLS ?= 1000000
results-fuzz: PLAN_OPTIONS += --calls $(PFM_FUZZ_CALLS)

.PHONY: fuzz
fuzz: ## [longer] calls with random arguments, debug kernel; goes on where it stopped (PFM_FUZZ_SEED=)
	+$(Q)$(MAKE) DEBUG=1 results-fuzz
	$(Q)$(CHECKS).results $(B)/results fuzz

# The library, with libFuzzer and the sanitizers: each source is a program, NAME.dict
# has words for NAME.c. What makes one fail is left in $(B)/fuzz.

## FUZZ_SECONDS=N      how long fuzz-lib and fuzz-pfmon run each program, default 300
FUZZ_SECONDS ?= 300
## FUZZ_EXECUTIONS=N   inputs that each has to have seen, in up to 10 such runs, default 1000000
FUZZ_EXECUTIONS ?= 1000000

FUZZ_CC := clang
FUZZ_DIR := $(B)/fuzz
FUZZ_PROGRAMS := $(patsubst tests/fuzz/%.c,$(FUZZ_DIR)/%,$(wildcard tests/fuzz/*.c))
FUZZ_CFLAGS := -std=gnu11 -O1 -g -fno-omit-frame-pointer \
	-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
FUZZ_OBJECTS := $(LIB_EVENT_SOURCES:lib/%.c=$(FUZZ_DIR)/obj/lib/%.o) \
	$(LIB_X86_64)/libpfm4.a

# The readers of pfmon, with the rooms that they need.
FUZZ_PFMON := $(patsubst tests/fuzz/pfmon/%.c,$(FUZZ_DIR)/pfmon/%,\
	$(wildcard tests/fuzz/pfmon/*.c))
FUZZ_PFMON_OBJECTS := $(patsubst tools/pfmon/%.c,$(FUZZ_DIR)/obj/pfmon/%.o,\
	tools/pfmon/diag.c $(foreach room,events names grammar metrics results symbols export \
	unwind,$(wildcard tools/pfmon/$(room)/*.c)) $(wildcard tools/pfmon/profile/read_*.c) \
	$(filter-out %/main.c,$(wildcard tools/pfmon/views/*.c)) \
	$(addprefix tools/pfmon/profile/,crc32c.c writer.c) tools/pfmon/record/packer.c \
	$(addprefix tools/pfmon/report/,spread.c output.c plain.c rank.c \
	json_text.c) \
	tools/pfmon/regions/regions.c tools/pfmon/top/wish.c \
	tools/pfmon/engine/control.c tools/pfmon/engine/means.c)

.PHONY: fuzz-lib fuzz-pfmon
fuzz-lib: $(FUZZ_PROGRAMS) ## [longer] fuzz libpfm for input that it mishandles
fuzz-pfmon: $(FUZZ_PFMON) ## [longer] fuzz the command lines and the files of pfmon
fuzz-lib fuzz-pfmon:
	$(Q)for program in $^; do \
		words=tests/fuzz/$${program#$(FUZZ_DIR)/}.dict; \
		[ -f $$words ] || words=; \
		tests/fuzz/run $(FUZZ_SECONDS) $(FUZZ_EXECUTIONS) $$program \
			$(FUZZ_DIR) $$words; \
	done

$(eval $(call object-rule,$(FUZZ_DIR)/obj/lib/%.o,lib/%.c,\
	$$(FUZZ_CC) $$(call lib-cppflags,$$<) $$(FUZZ_CFLAGS),fuzz))
$(eval $(call object-rule,$(FUZZ_DIR)/obj/%.o,tests/fuzz/%.c,\
	$$(FUZZ_CC) $$(LIB_CPPFLAGS) -Ilib $$(WARNINGS) $$(FUZZ_CFLAGS),fuzz))

$(eval $(call object-rule,$(FUZZ_DIR)/obj/pfmon/%.o,tools/pfmon/%.c,\
	$$(FUZZ_CC) $$(call pfmon-cppflags,$$<) $$(FUZZ_CFLAGS),fuzz tools))
$(eval $(call object-rule,$(FUZZ_DIR)/obj/fuzz-pfmon/%.o,tests/fuzz/pfmon/%.c,\
	$$(FUZZ_CC) $$(PFMON_CPPFLAGS) $$$$(scripts/profile-libraries cflags) \
	$$(WARNINGS) $$(FUZZ_CFLAGS),fuzz tools))

$(FUZZ_PFMON): $(FUZZ_DIR)/pfmon/%: $(FUZZ_DIR)/obj/fuzz-pfmon/%.o \
		$(FUZZ_PFMON_OBJECTS) $(FUZZ_OBJECTS)
	$(call say,LD $@)
	$(Q)mkdir -p $(@D)
	$(Q)$(FUZZ_CC) -fsanitize=fuzzer,address,undefined -o $@ $^ $(PROFILE_LIBS)

$(FUZZ_PROGRAMS): $(FUZZ_DIR)/%: $(FUZZ_DIR)/obj/%.o $(FUZZ_OBJECTS)
	$(call say,LD $@)
	$(Q)$(FUZZ_CC) -fsanitize=fuzzer,address,undefined -o $@ $^

-include $(wildcard $(FUZZ_DIR)/obj/*.d $(FUZZ_DIR)/obj/lib/*.d \
	$(FUZZ_DIR)/obj/lib/*/*.d $(FUZZ_DIR)/obj/pfmon/*.d \
	$(FUZZ_DIR)/obj/pfmon/*/*.d $(FUZZ_DIR)/obj/fuzz-pfmon/*.d)
