# SPDX-License-Identifier: GPL-2.0-only
"""Tests of what the guest runner makes of a guest's output; prints TAP.

Each case is a report as init.c writes it, the kernel log, what was wrong with
the machine, and the failures that have to come of it. Others are lines of
log-allow or skip-allow, the conditions of a boot, and what is allowed there.
Run by check-unit.
"""

from pathlib import Path

from checks import allow, boot, report, tap
from checks.unit import tell


GOOD = ["# begin a", "1..2", "ok 1 - x", "ok 2 y", "# end a status 0"]
ONE_CPU = "# SKIP needs two processors"
DONE = ["# done"]

# name, report, kernel log, trouble of the machine, names that fail
CASES = (
    ("all is well", GOOD + DONE, [], "", []),
    ("a failing test",
     ["# begin a", "1..1", "not ok 1 - x", "# end a status 1"] + DONE,
     [], "", ["a: x"]),
    ("a bad status alone",
     ["# begin a", "1..1", "ok 1 - x", "# end a status 2"] + DONE,
     [], "", ["a"]),
    ("a signal after the last test",
     ["# begin a", "1..1", "ok 1 - x", "# end a status 139"] + DONE,
     [], "", ["a"]),
    ("fewer tests than planned",
     ["# begin a", "1..2", "ok 1 - x", "# end a status 0"] + DONE,
     [], "", ["a"]),
    ("no test at all", ["# begin a", "# end a status 0"] + DONE, [], "", ["a"]),
    ("bail out",
     ["# begin a", "1..1", "ok 1", "Bail out! why", "# end a status 0"] + DONE,
     [], "", ["a: Bail out! why"]),
    ("a program that is skipped",
     ["# begin a", "# needs two processors", "# end a status 4"] + DONE,
     [], "", []),
    ("a program that is skipped for no good reason",
     ["# begin a", "# needs b", "# end a status 4"] + DONE, [], "", ["a"]),
    ("a program with tests that says it is skipped",
     ["# begin a", "1..50", "# needs two processors", "# end a status 4"]
     + DONE, [], "", ["a"]),
    ("a test that may be skipped",
     ["# begin a", "1..1", f"ok 1 - x {ONE_CPU}", "# end a status 0"] + DONE,
     [], "", []),
    ("a test that is skipped for no good reason",
     ["# begin a", "1..1", "ok 1 - x # SKIP no z", "# end a status 0"] + DONE,
     [], "", ["a: x"]),
    ("a test that is skipped without a reason",
     ["# begin a", "1..1", "ok 1 - x # SKIP", "# end a status 0"] + DONE,
     [], "", ["a: x"]),
    ("a reason that goes on",
     ["# begin a", "1..1", f"ok 1 - x {ONE_CPU} or an msr driver",
      "# end a status 0"] + DONE, [], "", ["a: x"]),
    ("a program that was killed at its limit",
     ["# begin a", "1..2", "ok 1 - x", "# hung a seconds 60",
      "# end a status 137"] + DONE, [], "", ["a"]),
    ("a hang", ["# begin a", "1..1", "ok 1 - x"], [], "killed", ["a", "boot"]),
    ("a program that leaves the kernel for the next one",
     ["# begin a", "1..1", "ok 1 - x", "# leave"] + GOOD + DONE, [], "", []),
    ("a next kernel that does not come up",
     ["# begin a", "1..1", "ok 1 - x", "# leave"], [], "killed", ["boot"]),
    ("a failure before the next kernel",
     ["# begin a", "1..1", "not ok 1 - x", "# leave"] + GOOD + DONE,
     [], "", ["a: x"]),
    ("a program that was not run", DONE, [], "", ["boot"]),
    ("init that does not finish", GOOD, [], "", ["boot"]),
    ("trouble of the machine", GOOD + DONE, [], "reset", ["boot"]),
    ("a warning of the kernel", GOOD + ["# klog 4 odd"] + DONE,
     [], "", ["kernel log"]),
    ("a warning that begins with an empty line",
     GOOD + ["# klog 4 ", "# klog 4 ======", "# klog 4 possible deadlock"]
     + DONE, [], "", ["kernel log"]),
    ("nothing but an empty line and a ruler",
     GOOD + ["# klog 4 ", "# klog 4 ------"] + DONE, [], "", []),
    ("a warning that is allowed",
     GOOD + ["# klog 4 ACPI: Failed to create genetlink family for ACPI event"]
     + DONE, [], "", []),
    ("an oops that init could not report", GOOD + DONE,
     ["[    1.000000] BUG: unable to handle page fault"], "", ["kernel log"]),
    ("talk of the kernel", GOOD + DONE, ["[    1.000000] hello"], "", []),
    ("a leak", GOOD + ["# kmemleak unreferenced object"] + DONE,
     [], "", ["kernel memory leaks"]),
    ("carriage returns", [line + "\r" for line in GOOD + DONE], [], "", []),
)

LATE = "hrtimer: interrupt took 5 ns"

NO_DRIVER = "no PMU driver, software events only."
UNKNOWN_NMI = "Uhhuh. NMI received for unknown reason 20 on CPU 1."
SLOW_NMI = ("INFO: NMI handler (perf_event_nmi_handler) took too long to run: "
            "2.009 msecs")
SLOW_OTHER_NMI = SLOW_NMI.replace("perf_event_nmi", "nmi_cpu_backtrace")
MSR = "# SKIP this is not the test machine"
NO_PERF = "# SKIP no perf_event driver for this processor"
FAILSLAB = "# SKIP this kernel has no fault injection"
NO_COMPAT = "# SKIP no 32-bit process on a 64-bit kernel"

# file, name of the boot, processor, debug kernel?, text, is it allowed there?
BOOTS = (
    ("log-allow", "machine/p3-smp1", "p3", False, NO_DRIVER, False),
    ("log-allow", "guest/p5-smp1", "p5", False, NO_DRIVER, True),
    ("log-allow", "machine/p2-smp2", "p2", False, UNKNOWN_NMI, True),
    ("log-allow", "machine/zen1-smp2", "zen1", False, UNKNOWN_NMI, False),
    ("log-allow", "guest/p2-smp2", "p2", False, UNKNOWN_NMI, False),
    ("log-allow", "machine/adl-smp2", "adl", False, SLOW_NMI, True),
    ("log-allow", "machine/adl-smp1", "adl", False, SLOW_NMI, False),
    ("log-allow", "machine/adl-smp2", "adl", False, SLOW_OTHER_NMI, True),
    ("log-allow", "machine/adl-smp1", "adl", False, SLOW_OTHER_NMI, False),
    ("skip-allow", "machine/p3-smp1", "p3", False,
     f"ok - judge: counting {NO_PERF}", False),
    ("skip-allow", "guest/zen1-smp1", "zen1", False, f"ok - ctxsw: x {MSR}",
     False),
    ("skip-allow", "guest/zen1-smp2", "zen1", False, f"ok - count: x {ONE_CPU}",
     False),
    ("skip-allow", "guest/p4ht-smp2", "p4ht", False, f"ok - count: x {ONE_CPU}",
     True),
    ("skip-allow", "guest/zen1-smp1", "zen1", False,
     f"ok - failslab: x {FAILSLAB}", False),
    ("skip-allow", "guest/zen1-smp1", "zen1", True,
     f"ok - failslab: x {FAILSLAB}", False),
    ("skip-allow", "guest/zen1-smp1", "zen1", False, f"ok - regs: x {NO_COMPAT}",
     True),
    ("skip-allow", "guest/zen1-smp4", "zen1", False,
     f"ok - 32/regs: x {NO_COMPAT}", False),
    ("skip-allow", "guest/p3-smp1", "p3", False, f"ok - regs: x {NO_COMPAT}",
     True),
)

# name, lines of log-allow, conditions of the boot, is LATE allowed?
ALLOWANCES = (
    ("no allowance", ["# ^hrtimer"], set(), False),
    ("an allowance for all boots", ["^hrtimer"], set(), True),
    ("an allowance for the debug kernel, on the debug kernel",
     ["debug: ^hrtimer"], {"debug"}, True),
    ("an allowance for the debug kernel, elsewhere",
     ["debug: ^hrtimer"], {"smp"}, False),
    ("an allowance with two conditions, both fulfilled",
     ["debug,smp: ^hrtimer"], {"debug", "smp"}, True),
    ("an allowance with two conditions, one fulfilled",
     ["debug,smp: ^hrtimer"], {"debug"}, False),
    ("a message with a colon is no condition",
     ["hrtimer: interrupt"], set(), True),
    ("late timers on the debug kernel with several processors",
     None, {"debug", "smp"}, True),
    ("late timers on the debug kernel with one processor",
     None, {"debug"}, False),
    ("late timers on several processors", None, {"smp"}, True),
    ("late timers on one processor", None, {"zen1"}, False),
    ("an allowance for other boots than the debug kernel's",
     ["-debug: ^hrtimer"], {"debug"}, False),
    ("an allowance for a processor, on that",
     ["zen1: ^hrtimer"], {"zen1", "main"}, True),
    ("an allowance for a processor, on another",
     ["zen1: ^hrtimer"], {"k8", "main"}, False),
    ("an allowance for a group, on a processor of it",
     ["main,-smp: ^hrtimer"], {"k8", "main"}, True),
    ("an allowance for a group without a processor",
     ["main,-k8: ^hrtimer"], {"k8", "main"}, False),
)


def judge_case(lines, log, trouble, expected):
    """What was wrong with the judgement of a report; "" if nothing."""
    found = report.read(lines)
    results, _ = report.judge(found, ["a"], log, trouble, set())
    failed = [r.name for r in results if r.outcome == tap.FAILED]
    return "" if failed == expected else f"failed: {failed}"


def judge_allowance(lines, conditions, expected):
    """What was wrong with the allowances; lines None: the real log-allow."""
    if lines is None:
        lines = report.ALLOWED.read_text(encoding="utf-8").splitlines()
    allowed = any(expression.search(LATE) for expression
                  in allow.expressions(lines, conditions))
    return "" if allowed == expected else f"allowed: {allowed}"


def judge_boot(case):
    """What was wrong with what a file allows in a boot, a row of BOOTS."""
    file, name, cpu, debug, text, expected = case
    guest = boot.Guest(build=Path(), name=name, cpu=cpu,
                       kind="debug" if debug else "",
                       arch=boot.processors()[cpu].arch,
                       smp=int(name.partition("-smp")[2]))
    path = report.ALLOWED.with_name(file)
    allowed = any(expression.search(text) for expression
                  in allow.read(path, allow.conditions(guest)))
    return "" if allowed == expected else f"allowed: {allowed}"


def main():
    """Runs the cases."""
    verdicts = [(case[0], judge_case(*case[1:])) for case in CASES]
    verdicts += [(case[0], judge_allowance(*case[1:])) for case in ALLOWANCES]
    verdicts += [(f"{case[0]} in {case[1]}{', debug' * case[3]}: {case[4]}"
                  .replace("#", "-"), judge_boot(case)) for case in BOOTS]
    tell(verdicts)


if __name__ == "__main__":
    main()
