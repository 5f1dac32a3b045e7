# SPDX-License-Identifier: GPL-2.0-only
"""PAPI's own tests with the events of perfmon, and what perf_event's do.

tests/libraries/ctests says of each whether it passes or fails with perfmon, or is not
run, and why.
"""

from checks import ROOT

LIST = ROOT / "tests/libraries/ctests"
WORDS = ("passes", "fails", "omitted")
GUEST = "/papi/ctests_in_guest"


class ListError(Exception):
    """The list of tests is wrong."""


def read_list(lines):
    """{name: (word, reason)} of the lines of the list."""
    found = {}
    for number, line in enumerate(lines, 1):
        words = line.split(None, 2)
        if not words or words[0].startswith("#"):
            continue
        if len(words) < 2 or words[1] not in WORDS:
            raise ListError(f"{LIST.name}:{number}: no word of {', '.join(WORDS)}")
        if words[1] != "passes" and len(words) < 3:
            raise ListError(f"{LIST.name}:{number}: no reason")
        if words[0] in found:
            raise ListError(f"{LIST.name}:{number}: {words[0]} is there twice")
        found[words[0]] = (words[1], words[2].strip() if len(words) > 2 else "")
    return found


def outcomes(lines):
    """{name: (word, seconds, text)} of what the guest printed."""
    found = {}
    for line in lines:
        words = line.split(None, 5)
        if len(words) == 6 and words[0] == "ctest":
            found[words[2]] = (words[3], int(words[4]), words[5])
    return found


def judge(expected, outcome):
    """Why a test is not as the list says it; nothing if it is."""
    word = outcome[0]
    if expected == "passes" and word != "passed":
        return f"{word}: {outcome[2]}"
    if expected == "fails" and word not in ("failed", "skipped", "hung"):
        return f"{word}, but the list says that it fails"
    return ""


def unlisted(stand, listed):
    """Tests of this PAPI that the list does not have."""
    folder = ROOT / stand.build / "papi/built/src/ctests"
    return sorted(path.stem for path in folder.glob("*.c")
                  if (folder / path.stem).is_file() and path.stem not in listed)


def run(stand, cpu, component):
    """What the tests say of the events of one component."""
    lines, complaints, status = stand.boot(cpu, 2, GUEST, component)
    return outcomes(lines), complaints, status


def test(stand, cpu):
    """Runs them with the events of both components; perfmon's count."""
    listed = read_list(LIST.read_text(encoding="utf-8").splitlines())
    ours, complaints, status = run(stand, cpu, "perfmon")
    theirs, _, _ = run(stand, cpu, "perf_event")
    stand.note(f"\nPAPI's tests on {cpu}: with perfmon, with perf_event, why\n")
    for name, (word, reason) in listed.items():
        mine = ours.get(name, ("-", 0, ""))
        stand.note(f"  {name:<26} {mine[0]:<8} {theirs.get(name, ('-',))[0]:<8} "
                   f"{reason}")
        if word == "omitted":
            continue
        why = judge(word, mine) if name in ours else "did not run"
        stand.result(f"{name} {word}{': ' + reason if reason else ''}", not why, why)
    for name in unlisted(stand, listed):
        stand.note(f"  {name:<26} is not in the list")
    stand.result("PAPI's tests end", not status, complaints)
