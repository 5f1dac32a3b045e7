# SPDX-License-Identifier: GPL-2.0-only
"""Which selftests execute which source of the kernel, asked of a guest with gcov.

tests/tools/covered is what runs there. Programs that take arguments, of 32 bits or of
pfmon are left out; what executes pfmon in the guest is chosen by its folders.
"""

import base64
import io
import tarfile
import tempfile
from pathlib import Path

from checks import ROOT, boot, mutants, run_mutants, rows
from checks.slips import gcov

# Processors and their number, the ones that most programs run on first.
BOOTS = (("zen1", 1), ("skylake", 1), ("zen1", 2), ("adl", 2))
KIND = "gcov"
COVERED = "/tests/tools/covered"
TREE = "linux/tree"

# A row has so many programs for each line. Of unit tests it has all, but a boot takes
# long.
WITNESSES = 4

# They see faults that no other program does.
ALWAYS = ("leaks",)

# Real seconds of a boot: it runs everything.
TIMEOUT = 3600

# What executes the sources of folders that no coverage is asked for, the first that fits.
BY_FOLDER = (
    ("tools/pfmon/selftest/", "guest zen1 1 pfmon_selftest"),
    ("tools/pfmon/top/", "guest zen1 2 pfmon_top"),
    ("tools/pfmon/record/", "guest zen1 2 pfmon_record pfmon_profile pfmon_precise"),
    ("tools/pfmon/profile/", "guest zen1 2 pfmon_profile pfmon_record"),
    ("tools/pfmon/views/", "guest zen1 2 pfmon_profile pfmon_classic"),
    ("tools/pfmon/symbols/", "guest zen1 2 pfmon_symbols pfmon_profile"),
    ("tools/pfmon/unwind/", "guest zen1 2 pfmon_profile"),
    ("tools/pfmon/export/", "guest zen1 2 pfmon_profile"),
    ("tools/pfmon/regions/", "guest zen1 1 pfmon_regions"),
    ("tools/pfmon/results/", "guest zen1 1 pfmon_results"),
    ("tools/pfmon/command/", "guest zen1 1 pfmon_cli pfmon_follow pfmon_launch"),
    ("tools/pfmon/engine/", "guest zen1 1 pfmon_cli pfmon_follow pfmon_sets pfmon_control"),
    ("tools/pfmon/verbs/", "guest zen1 1 pfmon_cli pfmon_results pfmon_names"),
    ("tools/pfmon/", "guest zen1 1 pfmon_cli pfmon_names pfmon_sets"),
    ("lib/mark/", "guest zen1 1 pfmon_regions"),
    ("lib/", "guest zen1 1 pfmon_cli byname"),
    ("module/", "stock6.12 zen1 1 create attach count execve inherit userread running"),
    ("arch/", "guest zen1 1 count exact overflow"),
    ("kernel/", "guest zen1 1 create attach count"),
)


def programs_of(cpu, smp):
    """The programs that the plan has for a boot, without these that take arguments."""
    tools = rows.tools()
    found = []
    for words in rows.plan_lines():
        if words[0] != "guest" or cpu not in rows.groups().select(words[1]) or \
                str(smp) not in words[2].split(",") or words[3] != "-":
            continue
        found += [name for name in words[5:] if "," not in name and "/" not in name
                  and name not in tools and not name.endswith("_v281")]
    return list(dict.fromkeys(found))


def run(build, cpu, smp, programs):
    """Boots the guest; returns what it reported."""
    # Programs repeat less: once is enough.
    guest = boot.Guest(build=build, name=f"covering/{cpu}-smp{smp}", cpu=cpu,
                       arch="x86_64", smp=smp, kind=KIND, short=True,
                       timeout=TIMEOUT)
    guest.start(["run", COVERED, *programs]).wait()
    guest.clean()
    return guest.report.read_text(errors="replace").splitlines()


def sections(lines):
    """(program, seconds, bytes of its archive) of what tests/tools/covered printed."""
    name, seconds, text = "", 0, []
    for line in map(str.strip, lines):
        word, *rest = line.split(" ")
        if word == "covered" and len(rest) == 2:
            name, seconds, text = rest[0], int(rest[1]), []
        elif word == "end" and rest == [name] and name:
            yield name, seconds, base64.b64decode("".join(text))
            name = ""
        elif name:
            text.append(line)


def lines_of(archive, build):
    """{source: lines} of an archive of data files."""
    with tempfile.TemporaryDirectory() as directory:
        with tarfile.open(fileobj=io.BytesIO(archive)) as data:
            data.extractall(directory, filter="data")
        found = sorted(Path(directory).rglob("*.gcda"))
        objects = (build / TREE / "o-x86_64-gcov").resolve()
        for path in found:
            # The kernel calls the files by the directory that it was built in.
            inside = str(path).partition("/o-x86_64-gcov/")[2]
            path.with_suffix(".gcno").symlink_to(
                (objects / inside).with_suffix(".gcno"))
        return gcov.lines_of(found, ROOT)


def measured(build):
    """{(cpu, smp): {source: programs in their order}}."""
    found, known = {}, {}
    for cpu, smp in BOOTS:
        covered, seconds = {}, {}
        report = run(build, cpu, smp, programs_of(cpu, smp))
        for name, its, archive in sections(report):
            seconds[name], covered[name] = its, lines_of(archive, build)
        found[cpu, smp] = chosen(covered, seconds, known)
    return found


def chosen(covered, seconds, known):
    """{source: programs} of a boot; KNOWN are the lines of the boots before."""
    found = gcov.rows(without(covered, known), seconds, WITNESSES)
    for program in set(ALWAYS) & set(covered):
        for name, lines in covered[program].items():
            if lines and program not in found.get(name, ()):
                found.setdefault(name, []).append(program)
    return found


def without(covered, known):
    """{program: {source: lines}} without the lines that are KNOWN from the boots before;
    these are added to KNOWN."""
    left = {program: {name: lines - known.get(name, set()) for name, lines in its.items()}
            for program, its in covered.items()}
    for its in covered.values():
        for name, lines in its.items():
            known[name] = known.get(name, set()) | lines
    return left


def from_lists():
    """{source: tests} of the kernel's mutants that exist."""
    found = {}
    for mutant in mutants.read_all().values():
        test = mutant.test
        if not test or test.kind != "guest" or test.arguments:
            continue
        for name in mutant.files():
            plain = mutants.Test(test.kind, test.program, test.cpu, test.smp)
            found.setdefault(name, []).append(plain)
    return found


def by_folder(name):
    """The tests that the folder of a source names, [] if there are none."""
    from checks.slips import covering  # pylint: disable=import-outside-toplevel
    for folder, words in BY_FOLDER:
        if name.startswith(folder):
            return covering.tests_of(words.split())
    return []


def merged(tests):
    """Tests in lines of a processor each, in their order and once each."""
    found = {}
    for test in dict.fromkeys(tests):
        found.setdefault((test.kind, test.cpu, test.smp), []).append(test)
    return list(found.values())


def add(table, build):
    """Adds what executes each source in a guest to a table."""
    of_boots = {}
    if (build / "kernel/x86_64-gcov/bzImage").exists():
        of_boots = measured(build)
    listed = from_lists()
    for name, row in table.items():
        tests = list(listed.get(name, []))
        if name.startswith(run_mutants.KERNEL):
            for (cpu, smp), its in of_boots.items():
                tests += [mutants.Test("guest", program, cpu, smp)
                          for program in its.get(name, [])]
        if not tests:
            tests = by_folder(name)
        row += merged(tests)
