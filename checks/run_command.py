# SPDX-License-Identifier: GPL-2.0-only
"""Boots one guest, runs one command in it and shows what the command prints.

Used by mk/guest.mk for `make run` and `make bench`. The kernel's messages go to
BUILD/runs/NAME/console.log. The status is that of the command. Without a
command, the guest has a shell on the terminal (`make shell`). A processor that
the demonstration cannot run on shows that it counts by a test.
"""

import argparse
import sys
import time
from pathlib import Path

from checks import allow, boot, report


# Seconds between two looks at the output.
INTERVAL = 0.1

# The programs that run everywhere, without a C library behind them:
# tests/selftests/nolibc/counters.c and bench/lowlevel.c.
COUNTERS = "/tests/counters"
LOWLEVEL = "/tests/lowlevel"

# Lines of the kernel log shown when the guest fails.
SHOWN = 25


def parse_arguments():
    """The command line."""
    processors = boot.processors()
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build", type=Path)
    parser.add_argument("--name", required=True, help="name of the run")
    parser.add_argument("--cpu", required=True, choices=sorted(processors))
    parser.add_argument("--arch", help="another kernel than the processor's")
    parser.add_argument("--smp", type=int, default=1)
    parser.add_argument("--kind", default="", help="of kernel: debug, bench")
    parser.add_argument("--debug", dest="kind", action="store_const",
                        const="debug", help="the same as --kind debug")
    parser.add_argument("--accel", default="tcg")
    parser.add_argument("--fault", default="",
                        help="faults of the PMU, see machine/README.md")
    parser.add_argument("--lend", default="",
                        help="what the processor lacks: cmov, level=4")
    parser.add_argument("--threads", default="",
                        help="of each core, if not those of machine/cpus")
    parser.add_argument("--sockets", default="", help="packages, if not one")
    parser.add_argument("--shift", default="",
                        help="an instruction takes 2^SHIFT ns")
    parser.add_argument("--disk", default="", help="image of a disk")
    parser.add_argument("--files", default="",
                        help="initial file system, if not that of the kernel")
    parser.add_argument("--timeout", type=int, default=120)
    parser.add_argument("words", nargs=argparse.REMAINDER,
                        help="the command and its words")
    args = parser.parse_args()
    args.arch = args.arch or processors[args.cpu].arch
    if not processors[args.cpu].has_cmov and "cmov" not in args.lend.split(","):
        if args.words[:1] == ["demo"]:
            args.words = [COUNTERS, args.cpu]
        elif args.words[:1] != [LOWLEVEL]:
            sys.exit(f"{args.cpu} has no CMOV: neither a shell nor any other "
                     "program with a C library runs on it")
    return args


def show(path, position):
    """Prints the complete lines after POSITION; returns the new position."""
    with open(path, "rb") as stream:
        stream.seek(position)
        text = stream.read()
    text = text[:text.rfind(b"\n") + 1]
    for line in text.decode(errors="replace").splitlines():
        if not line.startswith("# "):
            print(line.rstrip(), flush=True)
    return position + len(text)


def main():
    """Boots, shows, and reports trouble."""
    args = parse_arguments()
    guest = boot.Guest(
        build=args.build.resolve(), name=args.name, cpu=args.cpu,
        arch=args.arch, smp=args.smp, kind=args.kind, accel=args.accel,
        files=args.files, fault=args.fault, lend=args.lend,
        threads=args.threads, sockets=args.sockets, shift=args.shift, disk=args.disk,
        timeout=args.timeout)
    if not args.words:
        guest.become_shell()
    position = 0
    with guest.start(["run"] + args.words) as launcher:
        while launcher.poll() is None:
            time.sleep(INTERVAL)
            position = show(guest.report, position)
    show(guest.report, position)
    guest.clean()

    found = report.read(
        guest.report.read_text(errors="replace").splitlines())
    if launcher.returncode or not found.done:
        print("\n".join(guest.log_lines()[-SHOWN:]), file=sys.stderr)
        why = guest.trouble(launcher.returncode) or "the guest ended early"
        sys.exit(f"{why} (kernel log: {guest.log})")
    messages = report.suspicious(found, guest.log_lines(),
                                 allow.conditions(guest))
    if messages:
        print("\n".join(messages), file=sys.stderr)
        sys.exit(f"kernel messages to look at (kernel log: {guest.log})")
    sys.exit(found.sections[0].status)


if __name__ == "__main__":
    main()
