# SPDX-License-Identifier: GPL-2.0-only
"""Tests of what the plan is read as; prints TAP. Run by check-unit."""

import argparse
import os
import sys
import tempfile
from pathlib import Path

from checks import allow, boot, initrd, report, rows


MAX_LINE, MAX_WORDS = 16383, 1024  # init.c

CHECKED_SUITES = ("machine", "guest")


def choice(suite, **chosen):
    """The command line of run_guest."""
    return argparse.Namespace(
        suite=suite, build=Path("build"), accel="tcg",
        **{"cpu": None, "smp": None, "arch": None, "kind": "", "only": None,
           **chosen})


def line(text, **chosen):
    """The rows that one line of a plan makes."""
    args = choice("guest", **chosen)
    return list(rows.rows_of_line(text.split(), args, ["zen1"]))


def a_slash_makes_no_directory():
    """A kernel argument with "/" stays in the name of a file."""
    (row,) = line("guest zen1 1 root=/dev/vda,quiet 60 count")
    return (row.guest.name == "guest/zen1-smp1-root=_dev_vda,quiet"
            and row.guest.kernel_args == "root=/dev/vda quiet")


def faults_go_to_the_machine():
    """The machine gets them, and they are another boot."""
    (row,) = line("guest zen1 1 quiet,pmu-fault=firmware,pmu-fault=skid:7 60 count")
    (plain,) = line("guest zen1 1 quiet 60 count")
    return (row.guest.kernel_args == "quiet"
            and row.guest.fault == "firmware+skid:7"
            and plain.guest.fault == ""
            and row.guest.name != plain.guest.name
            and "--fault" in row.guest.command([], "files", 1)
            and "--fault" not in plain.guest.command([], "files", 1))


def flags_threads_and_the_clock_are_the_machines():
    """The machine gets them, and they are another boot."""
    (row,) = line(
        "guest p5mmx 1 quiet,lend=cmov,threads=2,shift=1,lend=level=4 60 count")
    (plain,) = line("guest p5mmx 1 quiet 60 count")
    words = row.guest.command([], "files", 1)
    return (row.guest.kernel_args == "quiet"
            and words[words.index("--lend") + 1] == "cmov,level=4"
            and words[words.index("--threads") + 1] == "2"
            and words[words.index("--shift") + 1] == "1"
            and row.guest.name != plain.guest.name
            and "--lend" not in plain.guest.command([], "files", 1))


def each_number_of_processors_is_a_boot():
    """The fields are multiplied."""
    return [row.guest.name for row in line("guest zen1,k8 1,2 - 60 a b")] == [
        "guest/zen1-smp1", "guest/zen1-smp2", "guest/k8-smp1", "guest/k8-smp2"]


def programs_repeat_less_where_the_kernel_looks_at_itself():
    """A kernel of Debian's does not; it only may take longer."""
    def words(kind):
        (row,) = line(f"guest/{kind} zen1 1 - 60 a")
        return row.guest.slowness, " ".join(row.guest.command([], "files", 1))

    stock, looking = words("stock6.1-rt"), words("stockdebug")
    return (1 < stock[0] < looking[0]
            and boot.SLOW not in stock[1] and boot.SLOW in looking[1]
            and boot.STOCK_ARGS in stock[1] and boot.STOCK_ARGS in looking[1])


def processors_are_chosen_by_name():
    """One or several."""
    rows_of = "guest zen1,k8,p3 1 - 60 a"
    return ([row.guest.cpu for row in line(rows_of, cpu="k8")] == ["k8"]
            and [row.guest.cpu for row in line(rows_of, cpu="zen1,p3")]
            == ["zen1", "p3"])


def programs_keep_the_limits_of_their_lines():
    """Init is told a limit where it changes."""
    row = line("guest zen1 1 - 60 a,1 b")[0]
    row.programs.append("c")
    row.limits.append(90)
    return row.words() == ["test", "@60", "a", "1", "+b", "+@90", "c"]


def a_boot_has_the_programs_that_init_is_told_of():
    """Others are left out of its archive."""
    words = initrd.named(line("guest zen1 1 - 60 a b,1 32/c")[0].words())
    return [name for name in ("a", "b", "c", "32/b", "32/c")
            if initrd.is_wanted(f"tests/{name}".encode(), words)] == [
                "a", "b", "32/c"]


def the_debug_kernel_has_more_time():
    """So have the programs in it."""
    row = line("guest zen1 1 - 60 a", kind="debug")[0]
    return row.words() == ["test", f"@{60 * row.guest.slowness}", "a"]


def the_debug_kernel_does_not_look_at_the_tools():
    """A line of nothing else is no boot of it."""
    mixed = "guest zen1 1 - 60 a pfmon_record,x pfmon_selftest,y"
    return ([row.programs for row in line(mixed, kind="debug")]
            == [["a", "pfmon_selftest,y"]]
            and len(line(mixed)[0].programs) == 3
            and not line("guest zen1 1 - 60 pfmon_top", kind="debug"))


def all_tools_are_known():
    """A program that is new has to be one of them, too."""
    run = {program.partition(",")[0] for suite in CHECKED_SUITES
           for row in rows.read(choice(suite)) for program in row.programs}
    return rows.tools() | {"pfmon_selftest"} == {
        name for name in run if name.startswith("pfmon_")}


def who_starts_a_crowd_has_the_tools():
    """Also in a boot without those who have them anyhow."""
    users = {file.stem.encode() for file in Path("tests/selftests").rglob("*.c")
             if "family_start(" in file.read_text(encoding="utf-8")}
    return bool(users) and users <= initrd.TOOL_USERS


def a_hang_costs_minutes():
    """No boot of check may take longer than fifteen before it is killed."""
    return all(row.guest.timeout <= 900 for suite in CHECKED_SUITES
               for row in rows.read(choice(suite)))


def every_program_has_a_limit():
    """Also the shell programs, which have none of their own."""
    return all(len(row.limits) == len(row.programs) and min(row.limits) > 0
               for suite in CHECKED_SUITES for row in rows.read(choice(suite)))


def init_takes_the_words():
    """It does not cut the list of programs."""
    found = [row for suite in CHECKED_SUITES
             for row in rows.read(choice(suite))]
    longest = max(len(",".join(row.words())) for row in found)
    return longest <= MAX_LINE and max(
        len(",".join(row.words()).split(",")) for row in found) < MAX_WORDS


def each_kind_of_a_line_is_a_boot():
    """They share the rest of the line."""
    with tempfile.NamedTemporaryFile("w") as plan:
        plan.write("module/stock6.1,stock7.3 zen1 1 - 60 a\nguest zen1 1 - 60 b\n")
        plan.flush()
        return list(rows.plan_lines(Path(plan.name))) == [
            "module/stock6.1 zen1 1 - 60 a".split(),
            "module/stock7.3 zen1 1 - 60 a".split(),
            "guest zen1 1 - 60 b".split()]


def the_longest_boots_come_first():
    """As they were measured; they would be waited for at the end."""
    durations = [row.duration for row in rows.read(choice("guest"))]
    return durations == sorted(durations, reverse=True)


def conditions_are_words_of_the_boot():
    """A boot fulfils its suite, its processor and the groups of that."""
    guest = line("guest p4ht 2 - 60 a")[0].guest
    met = allow.conditions(guest)
    stock = line("guest/stock6.1 zen1 1 - 60 a", only="stock6.1")[0].guest
    return ({"stock", "stock6.1"} <= allow.conditions(stock)
            and "stock" not in met
            and {"guest", "smp", "p4ht", "pentium4", "x86_64"} <= met
            and not {"debug", "machine", "i386", "zen1", "kvm"} & met)


def each_allowance_has_its_reason():
    """A comment stands before each line, or before the lines that share it."""
    for path in (report.ALLOWED, report.SKIPS_ALLOWED):
        lines = path.read_text(encoding="utf-8").splitlines()
        blank = [n for n, text in enumerate(lines) if not text]
        if any(n + 1 < len(lines) and lines[n + 1]
               and not lines[n + 1].startswith("#") for n in blank):
            return False
        allow.expressions(lines, set())
    return True


TESTS = (a_slash_makes_no_directory, faults_go_to_the_machine,
         flags_threads_and_the_clock_are_the_machines,
         each_number_of_processors_is_a_boot, processors_are_chosen_by_name,
         programs_repeat_less_where_the_kernel_looks_at_itself,
         programs_keep_the_limits_of_their_lines,
         a_boot_has_the_programs_that_init_is_told_of,
         the_debug_kernel_has_more_time,
         the_debug_kernel_does_not_look_at_the_tools, all_tools_are_known,
         who_starts_a_crowd_has_the_tools, a_hang_costs_minutes,
         every_program_has_a_limit, init_takes_the_words,
         each_kind_of_a_line_is_a_boot,
         the_longest_boots_come_first, conditions_are_words_of_the_boot,
         each_allowance_has_its_reason)


def main():
    """Runs the tests."""
    for name in ("PFM_STRESS_SEED", "PFM_FUZZ_SEED"):
        os.environ.setdefault(name, "1")
    print(f"1..{len(TESTS)}")
    failures = 0
    for number, test in enumerate(TESTS, 1):
        good = test()
        failures += not good
        print(f"{'' if good else 'not '}ok {number} - {test.__name__}")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
