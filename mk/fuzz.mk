# SPDX-License-Identifier: GPL-2.0-only
#
# fuzz-lib: feeds libpfm what nobody would write (tests/fuzz/), with libFuzzer
# and the sanitizers. Each source there is a program of its own; NAME.dict has
# words for NAME.c. What makes one fail is left in $(B)/fuzz. No part of check.

## FUZZ_SECONDS=N      how long fuzz-lib runs each program, default 300
FUZZ_SECONDS ?= 300

FUZZ_CC := clang-14
FUZZ_DIR := $(B)/fuzz
FUZZ_PROGRAMS := $(patsubst tests/fuzz/%.c,$(FUZZ_DIR)/%,$(wildcard tests/fuzz/*.c))
FUZZ_CFLAGS := -std=gnu11 -O1 -g -fno-omit-frame-pointer \
	-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all \
	-MMD -MP
FUZZ_OBJECTS := $(LIB_EVENT_SOURCES:lib/%.c=$(FUZZ_DIR)/obj/lib/%.o) \
	$(FUZZ_DIR)/obj/lib/tables_generated.o $(LIB_X86_64)/libpfm4.a

.PHONY: fuzz-lib
fuzz-lib: $(FUZZ_PROGRAMS) ## [longer] fuzz libpfm for input that it mishandles
	$(Q)for program in $^; do \
		name=$${program##*/}; words=tests/fuzz/$$name.dict; \
		mkdir -p $(FUZZ_DIR)/corpus/$$name; \
		echo "  $$name: $(FUZZ_SECONDS) seconds"; \
		env -u LIBPFM_VERBOSE -u LIBPFM_DEBUG $$program \
			-max_total_time=$(FUZZ_SECONDS) -print_final_stats=1 \
			-artifact_prefix=$(FUZZ_DIR)/$$name- \
			$$([ ! -f $$words ] || echo "-dict=$$words") \
			$(FUZZ_DIR)/corpus/$$name > $(FUZZ_DIR)/$$name.log 2>&1 || \
			{ tail -40 $(FUZZ_DIR)/$$name.log; exit 1; }; \
		sed -n 's/^stat::number_of_executed_units: */  executed: /p' \
			$(FUZZ_DIR)/$$name.log; \
	done

$(FUZZ_DIR)/obj/lib/tables_generated.o: $(LIBPFM4_TABLES) | $(B)/deps/fuzz.stamp
	@mkdir -p $(@D)
	$(Q)$(FUZZ_CC) $(LIB_CPPFLAGS) -Ilib $(FUZZ_CFLAGS) -c -o $@ $<

$(FUZZ_DIR)/obj/lib/%.o: lib/%.c | $(B)/deps/fuzz.stamp
	@mkdir -p $(@D)
	$(Q)$(FUZZ_CC) $(call lib-cppflags,$<) $(FUZZ_CFLAGS) -c -o $@ $<

$(FUZZ_DIR)/obj/%.o: tests/fuzz/%.c | $(B)/deps/fuzz.stamp
	@mkdir -p $(@D)
	$(Q)$(FUZZ_CC) $(LIB_CPPFLAGS) -Ilib -Wall -Wextra $(FUZZ_CFLAGS) -c -o $@ $<

$(FUZZ_PROGRAMS): $(FUZZ_DIR)/%: $(FUZZ_DIR)/obj/%.o $(FUZZ_OBJECTS)
	$(call say,LD $@)
	$(Q)$(FUZZ_CC) -fsanitize=fuzzer,address,undefined -o $@ $^

-include $(wildcard $(FUZZ_DIR)/obj/*.d $(FUZZ_DIR)/obj/lib/*.d \
	$(FUZZ_DIR)/obj/lib/*/*.d)
