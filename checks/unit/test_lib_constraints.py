# SPDX-License-Identifier: GPL-2.0-only
"""Tests of how the library's table of constraints is made; prints TAP. Run by
check-unit."""

import sys

from checks import lib_constraints


class Driver:
    """Rows of Linux' driver: code -> counters, the low byte alone: whatever mask."""

    def __init__(self, rows):
        self.rows = rows

    def counters(self, code):
        """As IntelDriver."""
        return self.rows.get(code, self.rows.get(code & 0xff))

    def named(self):
        """As IntelDriver."""
        return {code for code in self.rows if code > 0xff}


class File:
    """An event file: code -> counters."""

    def __init__(self, rows, memory=()):
        self.counters = {code: {mask} for code, mask in rows.items()}
        self.memory = set(memory)
        self.names = {code: f"EVENT_{code:x}" for code in rows}


def rows_of(driver, events, known=4, most=4, memory=()):
    """The rows for one driver and one file."""
    model = lib_constraints.Model(Driver(driver), [File(events, memory)],
                                  known, most)
    return model.rows()


def what_both_allow_is_a_rule():
    """The stricter of the two is right, whichever it is."""
    return rows_of({0x48: 0x4}, {0x0148: 0xf, 0x0250: 0x3}) == [
        (0x48, 0x48, "ANY", 0, 0x4), (0x50, 0x50, "ANY", 0, 0x3)]


def unknown_events_have_all_counters():
    """Nothing is said of what no source has."""
    return not rows_of({}, {0x0148: 0xf})


def neighbours_are_one_row():
    """If they have the same counters."""
    return rows_of({}, {0x0140: 0x3, 0x0141: 0x3, 0x0142: 0x1}) == [
        (0x40, 0x41, "ANY", 0, 0x3), (0x42, 0x42, "ANY", 0, 0x1)]


def unit_masks_are_told_by_their_bits():
    """A bit that no other unit mask has, else the whole mask."""
    return rows_of({}, {0x01a3: 0xf, 0x08a3: 0x4, 0x0ca3: 0x4,
                        0x04a3: 0xf}) == [
        (0xa3, 0xa3, "HAS", 0x8, 0x4)] and \
        rows_of({}, {0x01c0: 0xf, 0x03c0: 0x2}) == [
            (0xc0, 0xc0, "HAS", 0x2, 0x2)] and \
        rows_of({}, {0x01c0: 0x2, 0x03c0: 0xf}) == [
            (0xc0, 0xc0, "IS", 0x1, 0x2)]


def the_driver_decides_where_both_exclude_each_other():
    """There is no counter that both allow."""
    return rows_of({0x01c0: 0x2}, {0x01c0: 0xd, 0x00c0: 0xf}) == [
        (0xc0, 0xc0, "HAS", 0x1, 0x2)]


def files_do_not_know_the_upper_counters():
    """All that a file knows means all, but for loads with their addresses."""
    return rows_of({0x79: 0xf}, {0x0148: 0xf, 0x01d3: 0xf, 0x0279: 0xf},
                   most=8, memory=[0x01d3]) == [
        (0x79, 0x79, "ANY", 0, 0xf), (0xd3, 0xd3, "ANY", 0, 0xf)]


def differences_are_told():
    """With the name of an event, in the comment of the table."""
    model = lib_constraints.Model(Driver({0x48: 0x4}), [File({0x0148: 0xf})],
                                  4, 4)
    return model.differences() == [" * EVENT_148 0x0148: 0xf, the driver: 0x4\n"]


TESTS = (what_both_allow_is_a_rule, unknown_events_have_all_counters,
         neighbours_are_one_row, unit_masks_are_told_by_their_bits,
         the_driver_decides_where_both_exclude_each_other,
         files_do_not_know_the_upper_counters, differences_are_told)


def main(tests):
    """Runs them; whether one failed."""
    print(f"1..{len(tests)}")
    results = [test() for test in tests]
    for number, (test, good) in enumerate(zip(tests, results), 1):
        print("ok" if good else "not ok", number, "-", test.__name__)
    return not all(results)


if __name__ == "__main__":
    sys.exit(main(TESTS))
