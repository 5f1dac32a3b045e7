# SPDX-License-Identifier: GPL-2.0-only
"""Boots the guests of a plan, runs their test programs, writes the results.

Used by mk/guest.mk. For each boot one line of counts is printed; if something
failed, also what, and the end of the program's output and of the kernel log.
The results go to BUILD/results/SUITE/*.tap, the complete output of each boot
to BUILD/runs/NAME/. The status says whether the plan could be carried out, not
whether the tests passed: checks.results does.
"""

import argparse
import concurrent.futures
import fcntl
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from checks import allow, boot, ledger, processors, report, rows as plan, tap


# Lines of output shown for a failure.
SHOWN = 20

# Minutes after which a boot that goes on is mentioned, again and again.
PATIENCE = 5


def parse_arguments():
    """The command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("suite", help="the rows of the plan to run")
    parser.add_argument("--build", default="build", type=Path)
    parser.add_argument("--cpu", help="only these processors, comma-separated")
    parser.add_argument("--smp", help="only this number of processors")
    parser.add_argument("--arch", help="another kernel than the processor's")
    parser.add_argument("--kind", default="",
                        help="of kernel, for all boots: debug")
    parser.add_argument("--only", help="boots that the plan gives this kind of "
                        "kernel, plain for those that it gives none")
    parser.add_argument("--calls", type=int,
                        help="split so many over boots with seeds of their own, "
                        "and go on where the last such run stopped")
    parser.add_argument("--accel", default="tcg")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("-v", "--verbose", action="store_true")
    args = parser.parse_args()
    args.build = args.build.resolve()
    return args


def show_failure(row, found, results, messages):
    """Prints what a person needs to see of a boot that failed."""
    failed = [r for r in results if r.outcome == tap.FAILED]
    programs = {r.name.partition(":")[0] for r in failed}
    for result in failed[:SHOWN]:
        print(f"    FAILED {result.describe()}")
    if len(failed) > SHOWN:
        print(f"    FAILED {len(failed) - SHOWN} more")
    for section in found.sections:
        if section.name in programs:
            print(f"    --- end of the output of {section.name}:")
            for line in section.lines[-SHOWN:]:
                print(f"    {line}")
    last_words = row.guest.log_lines() if not found.done else []
    for title, lines in (("kernel messages to look at", messages[:SHOWN]),
                         ("memory leaks", found.leaks[:SHOWN]),
                         ("end of the kernel log", last_words[-SHOWN:])):
        if lines:
            print(f"    --- {title}:")
        for line in lines:
            print(f"    {line}")
    print(f"    --- all of it: {row.guest.directory}")


def wait(guest, launcher):
    """Waits for the end of a boot; prints now and then what it is at."""
    minutes = 0
    while True:
        try:
            return launcher.wait(PATIENCE * 60)
        except subprocess.TimeoutExpired:
            minutes += PATIENCE
            print(f"  {guest.name}: {minutes} min: {guest.last_line()}",
                  flush=True)


def run(row, args):
    """Does one boot and returns what to print about it."""
    started = time.monotonic()
    status = wait(row.guest, row.guest.start(row.words()))
    row.guest.clean()
    seconds = time.monotonic() - started

    text = row.guest.report.read_text(errors="replace")
    found = report.read(text.splitlines())
    results, messages = report.judge(found, row.programs,
                                     row.guest.log_lines(),
                                     row.guest.trouble(status),
                                     allow.conditions(row.guest))
    tap.write(args.build / "results" / f"{row.guest.name}.tap", results)
    return row, found, results, messages, seconds


def lock(directory):
    """Waits until no other runner writes to the directory; returns the lock."""
    directory.mkdir(parents=True, exist_ok=True)
    # It is locked as long as it is open, which is the caller's business.
    # pylint: disable-next=consider-using-with
    stream = open(directory / "lock", "w", encoding="utf-8")
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("  waiting for the other tests in this directory", flush=True)
        fcntl.flock(stream, fcntl.LOCK_EX)
    return stream


def show_processors(boots, args):
    """Prints and stores the table of processors; BOOTS: pairs of row, found."""
    table = []
    for cpu in boot.processors():
        of_cpu = [(row, found) for row, found in boots
                  if row.guest.cpu == cpu]
        smps = sorted({row.guest.smp for row, _ in of_cpu})
        for _, found in of_cpu:
            for line in processors.rows_of(found.sections):
                line.smp = ", ".join(map(str, smps))
                table.append(line)
    if not table:
        return
    processors.write(args.build / "results" / args.suite, table)
    print()
    for line in processors.as_text(table):
        print(f"  {line}")
    print()


def write_durations(path, durations):
    """Stores {name of a boot: seconds}, in the form of tests/guest/durations."""
    path.write_text("".join(f"{name} {seconds:.0f}\n" for name, seconds
                            in sorted(durations.items())), encoding="utf-8")


def main():
    """Carries out the plan."""
    args = parse_arguments()
    rows = plan.read(args)
    held = lock(args.build / "results")
    results_of_suite = args.build / "results" / args.suite
    book = None
    if args.calls:
        rows = ledger.split(rows, args.calls)
        book = ledger.Ledger(results_of_suite)
    else:
        shutil.rmtree(results_of_suite, ignore_errors=True)
    tap.expect(results_of_suite,
               [row.guest.name.partition("/")[2] for row in rows])
    if book:
        rows = book.remaining(rows)
    seeds = plan.seeds_of(rows)
    if seeds:
        print(f"  {' '.join(seeds)}", flush=True)
    boots, durations = [], {}
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        runs = [pool.submit(run, row, args) for row in rows]
        for done in concurrent.futures.as_completed(runs):
            row, found, results, messages, seconds = done.result()
            boots.append((row, found))
            durations[row.guest.name] = seconds
            print(f"  {row.guest.name}: {tap.tally(results)} "
                  f"({seconds:.0f} s)")
            if any(r.outcome == tap.FAILED for r in results):
                show_failure(row, found, results, messages)
            elif book:
                book.add(row)
            elif args.verbose:
                print(row.guest.report.read_text(errors="replace"))
            sys.stdout.flush()
    write_durations(results_of_suite / "durations", durations)
    show_processors(boots, args)
    held.close()


if __name__ == "__main__":
    main()
