# SPDX-License-Identifier: GPL-2.0-only
"""Builds mutants and sees whether their tests notice them; `make mutants`.

Works in a copy of the checkout, BUILD/mutants/tree, that starts from what BUILD
has. Several mutants share a kernel; one that seems to survive there, or whose boot
failed as a whole, is tried again alone. First each test has to pass without a
mutant. Results go to BUILD/results/mutants, the output of guests to
BUILD/mutants/tree/build/runs.
"""

import argparse
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from checks import ROOT, allow, boot, mutants, report, rows, tap


# Mutants in one kernel.
GROUP = 8

# Guest seconds of a program: several times what the longest takes.
LIMIT = 300

# What tells of a boot as a whole (report.judge).
WHOLE = ("boot", "kernel log", "kernel memory leaks")

# What the copy shares with the checkout; what it builds itself is all the rest
# there, from what the checkout has.
SHARED = ("deps", "machine")
OWN = ("linux", "kernel", "modules", "mutants", "runs", "results", "pycache", *SHARED)

# What a kernel is made of. Other files may be in the programs of a guest as well.
KERNEL = ("kernel/", "arch/", "include/linux/", "include/asm/")


def parse_arguments():
    """The command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build", type=Path)
    parser.add_argument("--group", type=int, default=GROUP,
                        help="mutants in one kernel")
    parser.add_argument("names", nargs="*", help="mutants; all if none")
    args = parser.parse_args()
    args.build = args.build.resolve()
    return args


class Tree:
    """The copy that mutants are built in."""

    def __init__(self, build, copy="tree"):
        self.path = build / "mutants" / copy
        self.build = self.path / "build"
        self.jobs = os.cpu_count()
        known = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT, check=True, capture_output=True, text=True)
        self._copy(set(known.stdout.splitlines()))
        self.build.mkdir(exist_ok=True)
        for name in SHARED:
            link = self.build / name
            if not link.is_symlink():
                link.symlink_to(build / name)
        for path in build.iterdir():
            if path.name not in OWN and not (self.build / path.name).exists():
                subprocess.run(["cp", "-a", path, self.build / path.name],
                               check=True)

    def _copy(self, files):
        """Makes the sources those of the checkout, as old as they are there."""
        for file in files:
            source, copy = ROOT / file, self.path / file
            if not source.is_file():
                continue
            if (copy.exists() and copy.read_bytes() == source.read_bytes()):
                continue
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, copy)
        for copy in self.path.rglob("*"):
            name = copy.relative_to(self.path)
            if (name.parts[0] != "build" and copy.is_file()
                    and str(name) not in files):
                copy.unlink()

    def make(self, goal):
        """Builds a target below build/; returns the error output if it fails."""
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("MAKE", "CCACHE_BASEDIR", "MFLAGS"))}
        done = subprocess.run(
            ["make", f"-j{self.jobs}", f"build/{goal}"], cwd=self.path,
            env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            return done.stderr or done.stdout or f"make: status {done.returncode}"
        return ""


def variant(test):
    """The kernel that a guest's test wants."""
    arch = boot.processors()[test.cpu].arch
    return arch if test.kind == "guest" else f"{arch}-{test.kind}"


def target(test):
    """What has to be built for a test, if not the files of its guest."""
    if test.kind == "unit":
        return test.program
    return f"kernel/{variant(test)}/bzImage"


def guest_files(found):
    """The files of guests that mutants may be in."""
    return list(dict.fromkeys(
        f"guest/{variant(mutant.test)}.cpio" for mutant in found
        if mutant.test.kind != "unit"
        and not all(file.startswith(KERNEL) for file in mutant.files())))


def run_guest(tree, key, programs, timeout=0):
    """Boots a guest that runs PROGRAMS; returns the results.

    TIMEOUT: real seconds, if not what its programs may take.
    """
    kind, cpu, smp, arguments = key
    name = f"mutants/{cpu}-smp{smp}-{kind}" + (f"-{arguments}" * bool(arguments))
    guest = boot.Guest(
        build=tree.build, name=name, cpu=cpu,
        arch=boot.processors()[cpu].arch, smp=smp,
        kind="" if kind == "guest" else kind)
    rows.split_arguments(guest, arguments)
    # A kernel that is broken ends soon, and not when its time is over.
    guest.kernel_args += " oops=panic hung_task_panic=1"
    row = rows.Row(guest, programs, [LIMIT] * len(programs))
    row.set_limit()
    guest.timeout = timeout or guest.timeout
    status = guest.start(row.words()).wait()
    guest.clean()
    found = report.read(
        guest.report.read_text(errors="replace").splitlines())
    return report.judge(found, programs, guest.log_lines(),
                        guest.trouble(status), allow.conditions(guest))[0]


def run_tests(tree, tests):
    """Runs tests that are built; returns {test: results}."""
    found = {}
    guests = {}
    for test in tests:
        if test.kind == "unit":
            program = tree.build / test.program
            output, status = tap.execute(program, cwd=tree.path)
            found[test] = tap.judge_program(test.program, output.splitlines(),
                                            status)
        else:
            key = (test.kind, test.cpu, test.smp, test.arguments)
            guests.setdefault(key, []).append(test)
    with ThreadPoolExecutor(tree.jobs) as pool:
        runs = {key: pool.submit(run_guest, tree, key, list(dict.fromkeys(
            test.program for test in wanted))) for key, wanted in guests.items()}
    for key, wanted in guests.items():
        found.update({test: runs[key].result() for test in wanted})
    return found


def is_of(result, test):
    """Whether a result is one of the tests that have to notice the mutant."""
    program, _, name = result.name.partition(":")
    return program == test.program.partition(",")[0] and (
        not test.name or test.name in name)


def noticed(results, test):
    """Whether a test has failed."""
    return any(r.outcome == tap.FAILED and is_of(r, test) for r in results)


def whole_failed(results):
    """Whether the boot as a whole, or a program for no named test, has."""
    return any(r.outcome == tap.FAILED and (r.name in WHOLE or ":" not in r.name)
               for r in results)


def baseline(tree, wanted):
    """Returns {test: what is wrong}: without a mutant each has to pass."""
    tests = list(dict.fromkeys(mutant.test for mutant in wanted))
    images = [f"guest/{variant(test)}.cpio" for test in tests
              if test.kind != "unit"]
    trouble = build_all(tree, [target(test) for test in tests] + images)
    if trouble:
        raise mutants.ListError(trouble)
    wrong = {}
    for test, results in run_tests(tree, tests).items():
        if noticed(results, test):
            wrong[test] = "fails without a mutant"
        elif not any(r.outcome == tap.PASSED and is_of(r, test)
                     for r in results):
            wrong[test] = "passes nothing without a mutant"
    return wrong


def build_all(tree, goals):
    """Builds targets; returns what is wrong with the first that fails."""
    for goal in dict.fromkeys(goals):
        trouble = tree.make(goal)
        if trouble:
            return f"{goal}: {trouble}"
    return ""


def run_group(tree, group):
    """Builds and runs mutants together; returns {test: results}, None if they do
    not compile. The files of guests have none of them in the end."""
    before = {}
    images = guest_files(group)
    try:
        for mutant in group:
            before.update(mutant.apply(tree.path))
        if build_all(tree, [target(mutant.test) for mutant in group] + images):
            return None
        return run_tests(tree, [mutant.test for mutant in group])
    finally:
        mutants.restore(tree.path, before)
        trouble = build_all(tree, images)
        if trouble:
            raise mutants.ListError(trouble)


def judge_group(group, found):
    """Returns ({mutant: outcome and reason}, those to try alone).

    FOUND: {test: results}. Only what a test has noticed is said of one of several:
    another mutant may keep a program from the slip that it is meant for.
    """
    verdicts, again = {}, []
    for mutant in group:
        results = found[mutant.test]
        if noticed(results, mutant.test):
            verdicts[mutant.name] = (tap.PASSED, "")
        elif len(group) > 1:
            again.append(mutant)
        elif whole_failed(results):
            verdicts[mutant.name] = (tap.PASSED, "by the boot as a whole")
        else:
            verdicts[mutant.name] = (tap.FAILED, "survived")
    return verdicts, again


def try_group(tree, group):
    """Returns ({mutant: outcome and reason}, those to try alone)."""
    found = run_group(tree, group)
    if found is not None:
        return judge_group(group, found)
    if len(group) > 1:
        return {}, group
    return {group[0].name: (tap.FAILED, "does not compile")}, []


def choose(names):
    """The mutants that are wanted, those that nothing can notice apart."""
    known = mutants.read_all()
    names = [word for name in names for word in name.split(",") if word]
    for name in names:
        if name not in known:
            raise mutants.ListError(f"{name}: no such mutant")
    chosen = [known[name] for name in names] or list(known.values())
    return ([m for m in chosen if m.test], [m for m in chosen if not m.test])


def show(mutant, outcome, reason):
    """Prints one verdict; returns it as a result."""
    word = {tap.PASSED: "killed", tap.FAILED: "SURVIVED",
            tap.SKIPPED: "equivalent"}[outcome]
    if outcome == tap.FAILED and reason != "survived":
        word = "ERROR"
    print(f"  {word:10} {mutant.name}: {mutant.what}"
          + (f" ({mutant.test})" if mutant.test else "")
          + (f" [{reason}]" if reason else ""), flush=True)
    return tap.Result(f"{mutant.name}: {mutant.what}", outcome, reason)


def run(args):
    """Tries the mutants; returns their results."""
    wanted, equivalent = choose(args.names)
    tree = Tree(args.build)
    for mutant in wanted + equivalent:
        mutants.restore(tree.path, mutant.apply(tree.path))
    wrong = baseline(tree, wanted)
    results = [show(mutant, tap.FAILED, wrong[mutant.test])
               for mutant in wanted if mutant.test in wrong]
    waiting = mutants.groups([mutant for mutant in wanted
                              if mutant.test not in wrong], args.group)
    while waiting:
        group = waiting.pop(0)
        verdicts, again = try_group(tree, group)
        waiting += [[mutant] for mutant in again]
        results += [show(mutant, *verdicts[mutant.name]) for mutant in group
                    if mutant.name in verdicts]
    results += [show(mutant, tap.SKIPPED, mutant.equivalent)
                for mutant in equivalent]
    return results


def finish(directory, name, results, words):
    """Ends with the sum of the verdicts, whose words are the killed, the others, the skipped."""
    tap.expect(directory, [name])
    tap.write(directory / f"{name}.tap", results)
    lived = [r for r in results if r.outcome == tap.FAILED]
    if lived:
        print(f"{words[1]}:")
    for result in lived:
        print(f"  {result.describe()}")
    print(f"{tap.tally(results)} ({', '.join(words)})")
    sys.exit(1 if lived else 0)


def main():
    """Prints the verdicts and their sum."""
    args = parse_arguments()
    try:
        results = run(args)
    except mutants.ListError as error:
        sys.exit(f"mutants: {error}")
    finish(args.build / "results/mutants", "mutants", results,
           ("killed", "survived", "equivalent"))


if __name__ == "__main__":
    main()
