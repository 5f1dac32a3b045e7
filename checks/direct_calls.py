# SPDX-License-Identifier: GPL-2.0-only
"""Shows that the context-switch path of perfmon calls directly, and no lock.

usage: python3 -m checks.direct_calls KERNEL-OBJECT-DIRECTORY

Disassembles the objects of perfmon and of the low-level core as the kernel was
linked from them, and follows all calls and jumps from ROOTS through these
objects. A static call leads to every procedure that it may be resolved to:
those whose names end like its own, for each processor design.

Locks are made of indivisible instructions: this path has none. OUTSIDE names all
functions of the rest of the kernel that it may call. Calls of FORMATS are not
followed. Used by mk/lint.mk; says which functions it has seen.
"""

import re
import subprocess
import sys
from pathlib import Path

OBJECTS = ("arch/x86/perfmon/**/*.o", "kernel/perfmon/**/*.o")

ROOTS = ("__perfmon_sched_out", "__perfmon_sched_in", "perfctr_cpu_suspend",
         "perfctr_cpu_resume", "perfctr_cpu_sample")

STATIC_CALL = "__SCT__perfctr_"

# What is called of the rest of the kernel, and why that is no lock of a thread
# switch.
OUTSIDE = {
    "local_clock": "only while the administrator measures",
    "ktime_get": "a sequence counter, nobody waits for its readers",
    "hrtimer_start_range_ns": "only for sets that take turns by time: "
                              "the lock of this CPU's own timers",
    "__SCT__apic_call_send_IPI_self": "a register of this CPU",
    "__SCT__apic_call_write": "the same",
    "cr4_update_irqsoff": "only for threads that read counters by RDPMC: a "
                          "register of this CPU",
}

# What leads to the sampling format of a session, and is not followed: a format takes no
# lock either (<linux/perfmon_fmt.h>), but is called indirectly.
FORMATS = {
    "perfmon_records_left": "only for sets that make records: they are taken before "
                            "another set can make any",
    "perfmon_records_wanted": "the same: how many have room",
}

# An exchange with memory is indivisible without a prefix.
INDIVISIBLE = re.compile(r"^(?:lock\b|xchg.*\()")

# It changes nothing, and nobody waits for it: x86's full barrier, which the page of a
# thread that reads counters by RDPMC needs.
BARRIER = re.compile(r"^lock addl +\$0x0,-?0x[0-9a-f]+\(%[re]sp\)$")

FUNCTION = re.compile(r"^[0-9a-f]+ <([^>]+)>:$")
INSTRUCTION = re.compile(r"^ *[0-9a-f]+:\t(.*)$")
RELOCATION = re.compile(r"^\s+[0-9a-f]+: R_\S+\s+([\w.]+)")
BRANCH = re.compile(r"^(?:notrack )?(?:bnd )?(?:call|jmp|j[a-z]+|ljmp|lcall)"
                    r"[lqw]? +(.*)$")
TARGET = re.compile(r"<([\w.]+)(?:\+0x[0-9a-f]+)?>")


def disassemble(path, functions):
    """Adds {function: [(instruction, symbol it is relocated to)]}.

    Local functions of one name are taken together.
    """
    text = subprocess.run(
        ["objdump", "-dr", "--no-show-raw-insn", path], check=True,
        capture_output=True, text=True).stdout
    code = []
    for line in text.splitlines():
        if match := FUNCTION.match(line):
            code = functions.setdefault(match[1], [])
        elif match := INSTRUCTION.match(line):
            code.append((match[1], None))
        elif (match := RELOCATION.match(line)) and code:
            code[-1] = (code[-1][0], match[1])


def is_indirect(branch, symbol):
    """Whether the place a branch leads to is found at run time."""
    return (branch.startswith("*") or
            "__x86_indirect_thunk" in (symbol or branch))


def static_call_targets(symbol, functions):
    """The procedures that a static call may be resolved to."""
    procedure = symbol[len(STATIC_CALL):]
    found = [name for name in functions if name.endswith("_" + procedure)
             and not name.startswith(STATIC_CALL)]
    if not found:
        sys.exit(f"direct-calls: nothing is called *_{procedure}")
    return found


def look_at(function, functions):
    """Returns (complaints, names of what is called)."""
    wrong, called = [], set()
    for instruction, symbol in functions[function]:
        if INDIVISIBLE.match(instruction) and not BARRIER.match(instruction):
            wrong.append(f"{instruction}: an indivisible instruction")
        match = BRANCH.match(instruction)
        if not match:
            continue
        if is_indirect(match[1], symbol):
            wrong.append(f"{instruction}: an indirect call")
            continue
        target = TARGET.search(match[1])
        name = symbol or (target and target[1])
        if name and name.startswith(".text"):
            sys.exit(f"direct-calls: {function}: cannot follow {instruction}")
        if name and name.startswith(STATIC_CALL):
            called.update(static_call_targets(name, functions))
        elif name in FORMATS:
            continue
        elif name in functions:
            called.add(name)
        elif name and name not in OUTSIDE:
            wrong.append(f"{instruction}: a call of {name}")
    return wrong, called


def main():
    """Follows the calls and reports."""
    if len(sys.argv) != 2:
        sys.exit(__doc__.split("\n\n")[1])
    directory = Path(sys.argv[1])
    functions = {}
    for pattern in OBJECTS:
        for path in sorted(directory.glob(pattern)):
            disassemble(path, functions)
    if missing := [name for name in ROOTS if name not in functions]:
        sys.exit(f"direct-calls: {directory}: no {' '.join(missing)}")

    seen, ahead, status = set(), list(ROOTS), 0
    while ahead:
        name = ahead.pop()
        if name in seen:
            continue
        seen.add(name)
        wrong, called = look_at(name, functions)
        ahead += called
        for complaint in wrong:
            print(f"{name}: {complaint} in the context-switch path",
                  file=sys.stderr)
            status = 1
    if not status:
        print(f"  {len(seen)} functions, all calls direct, no lock: "
              f"{' '.join(sorted(seen))}")
    sys.exit(status)


if __name__ == "__main__":
    main()
