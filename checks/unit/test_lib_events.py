# SPDX-License-Identifier: GPL-2.0-only
"""Tests of how the library's tables of events are made, and of their judge; prints
TAP. Run by check-unit."""

import sys

from checks import event_codes, lib_events
from checks.unit.test_lib_constraints import main


class Driver:
    """Rows of Linux' driver: code -> counters."""

    def __init__(self, rows):
        self.rows = rows

    def counters(self, code):
        """As IntelDriver."""
        return self.rows.get(code)


def row(**what):
    """The row of an event with these entries."""
    return lib_events.row_of({"EventName": "OCR.READ.L3.HIT", "Counter": "0,1",
                              "EventCode": "0x2A,0x2B", "UMask": "0x1"} | what)


def the_first_dot_is_a_colon():
    """The others are underscores, and names are in upper case."""
    return event_codes.name_of(row()) == "OCR:READ_L3_HIT" and \
        event_codes.name_of(row(EventName="ex_ret_instr")) == "EX_RET_INSTR"


def the_first_of_two_codes_counts():
    """With its value for either of two registers."""
    what = row(MSRIndex="0x1a6,0x1a7", MSRValue="0x10001")
    return (what.select, what.umask, what.extra, what.value) == \
        (0x2a, 1, "OFFCORE", 0x10001)


def modifiers_are_kept():
    """Edge and inversion are flags."""
    what = row(CounterMask="12", EdgeDetect="1", Invert="1", PEBS="0")
    return what.cmask == 12 and \
        what.flags == "PFMLIB_FILE_EDGE | PFMLIB_FILE_INV"


def fixed_counters_have_the_numbers_of_pmds():
    """In words, or from 32 on; those that the library lacks are none."""
    return lib_events.counters_of("Fixed counter 2") == 1 << 18 and \
        lib_events.counters_of("35") == 1 << 19 and \
        lib_events.counters_of("37") == 0 and \
        lib_events.counters_of("1,3") == 0xa


def file_and_driver_both_restrict():
    """The driver alone if they exclude each other, fixed counters never."""
    return lib_events.allowed(row(), Driver({0x012a: 0x2})) == 0x2 and \
        lib_events.allowed(row(), Driver({0x012a: 0x8})) == 0x8 and \
        lib_events.allowed(row(), Driver({})) == 0x3 and \
        lib_events.allowed(row(Counter="Fixed counter 0"),
                           Driver({0x012a: 0x2})) == 1 << 16


def what_is_not_understood_ends_it():
    """A key that would change the code."""
    try:
        row(AnyThread="1")
    except SystemExit:
        return True
    return False


def the_judge_finds_what_is_wrong():
    """The counters, the selector, and an event that is refused."""
    right = ["OCR:READ_L3_HIT", "0", "0x3", "0x3", "0=0x51012a"]
    wrong = [right[:2] + ["0x1"] + right[3:], right[:4] + ["0=0x51022a"],
             right[:3] + ["0x1"] + right[4:], [right[0], "-5", "0x0", "0x0"]]
    return event_codes.complaint(row(), Driver({}), right) is None and \
        all(event_codes.complaint(row(), Driver({}), words) for words in wrong)


TESTS = (the_first_dot_is_a_colon, the_first_of_two_codes_counts,
         modifiers_are_kept, fixed_counters_have_the_numbers_of_pmds,
         file_and_driver_both_restrict, what_is_not_understood_ends_it,
         the_judge_finds_what_is_wrong)


if __name__ == "__main__":
    sys.exit(main(TESTS))
