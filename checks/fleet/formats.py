# SPDX-License-Identifier: GPL-2.0-only
"""What reads pfmon's machine formats: python's json, and scripts for perf stat -x.

And all of them in a locale with a decimal comma, in which they are the same.
"""

import json
import re
import subprocess

from checks import ROOT

EVENTS = ["-e", "instructions,cycles"]
MORE_THAN_FIT = ["-e", "instructions,cycles,rc0,rc1,rc2,rc3,rc4,rc5"]
INTERVALS = ["-a", "-I", "20", "--interval-count", "3"]
LOCALE = "de_DE.UTF-8"

# Of a command: a byte that is not UTF-8, and what JSON has other signs for.
WORD = "\udcff\"\\\n\t"


def once(pairs):
    """An object of JSON, of whose members none is there twice."""
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise ValueError(f"a member is there twice: {names}")
    return dict(pairs)


def refuse(word):
    """NaN and Infinity, which python reads and JSON has not."""
    raise ValueError(f"{word} is not JSON")


def read(text):
    """An object of JSON, by its letter."""
    return json.loads(text, object_pairs_hook=once, parse_constant=refuse)


def measured(stand, words, **changes):
    """What pfmon stat writes to standard output."""
    command = [] if "-a" in words else ["--", "true"]
    output = [] if "--textfile" in words else ["-o", "-"]
    done = stand.run(*stand.words, "stat", *words, *output, *command, **changes)
    return done.stdout if done.returncode == 0 else done.stderr


# Words, how many objects there are, and what the last of them has to have.
JSON = (
    ("one run", EVENTS, 1, lambda last: len(last["events"]) == 2),
    ("each run", ["-r", "3", *EVENTS], 3, lambda last: last["run"] == 3),
    ("each interval", [*INTERVALS, *EVENTS], 3,
     lambda last: last["coverage"]["cpus"] > 0),
    ("sets", MORE_THAN_FIT, 1,
     lambda last: {event["set"] for event in last["events"]} > {0}),
    ("no events", ["--null"], 1, lambda last: last["events"] == []),
    ("rows of CPUs", ["-a", "-A", "--timeout", "20", *EVENTS], 1,
     lambda last: last["events"][0]["scope"].startswith("cpu:")),
    ("metrics", ["-g", "CLOCK"], 1, lambda last: last["metrics"]),
)


def test_json(stand):
    """Python reads each form; with runs and intervals each line is an object."""
    for name, words, count, has in JSON:
        text = measured(stand, ["-j", *words])
        try:
            several = count > 1
            objects = [read(line) for line in text.splitlines()] \
                if several else [read(text)]
            good = len(objects) == count and has(objects[-1])
        except (ValueError, KeyError) as error:
            good, text = False, f"{error}: {text}"
        stand.result(f"python reads JSON: {name}", good, text)
    done = stand.run(*stand.words, "stat", "-j", *EVENTS, "-o", "-", "--", "sh",
                     "-c", "exit 0", WORD)
    try:
        words = read(done.stdout)["command"]
    except (ValueError, KeyError) as error:
        words = [str(error)]
    stand.result("python reads JSON: a command of any words",
                 words[-1] == WORD.replace("\udcff", "\ufffd"), words)


def perf_line(line, separator, leading):
    """The event and count of a line, as scripts take it that know perf stat -x.

    LEADING: how many fields come before the count, such as the time. perf(1) has
    behind them: value, unit, event, time, percent, then with -r the variance, and
    optionally a metric and its unit.
    """
    fields = line.split(separator)[leading:]
    value, unit, event, run_time, percent = fields[:5]
    rest = fields[5:]
    variance = rest.pop(0) if rest and rest[0].endswith("%") else "0%"
    if len(rest) not in (0, 2):
        raise ValueError(f"{rest} are not a metric and its unit")
    if unit not in ("", "ns") or not 0 <= float(percent) <= 100:
        raise ValueError(f"{unit}, {percent}: not a unit and a percentage")
    float(variance.rstrip("%"))
    int(run_time)
    if rest:
        float(rest[0])
    return event, None if value == "<not counted>" else int(value)


# Words, fields before the count, lines of an event.
SEPARATED = (
    ("one run", EVENTS, 0, 1),
    ("runs", ["-r", "3", *EVENTS], 0, 1),
    ("intervals", [*INTERVALS, *EVENTS], 1, 3),
    ("CPUs", ["-a", "-C", "0", "-A", "--timeout", "20", *EVENTS], 1, 1),
    ("intervals of CPUs", [*INTERVALS, "-C", "0", "-A", *EVENTS], 2, 3),
    ("sets", MORE_THAN_FIT, 0, 1),
)


def test_separated(stand):
    """Each line has the fields of perf stat, and each event its lines.

    Behind the lines of CPUs is the sum of them, which perf has not: it has no CPU.
    """
    for name, words, leading, times in SEPARATED:
        for separator in ",", ";", "\\t":
            text = measured(stand, ["-x", separator, *words])
            try:
                lines = [perf_line(line, separator.replace("\\t", "\t"), leading)
                         for line in text.splitlines()
                         if line and not line.startswith("#") and
                         ("CPU" in line or "-A" not in words)]
                events = [event for event, _ in lines]
                good = events.count("instructions:u") == times and \
                    events.count("cycles:u") == times
            except ValueError as error:
                good, text = False, f"{error}: {text}"
            stand.result(f"a script reads -x {separator}: {name}", good, text)


def test_same_counts(stand):
    """What scripts read is what JSON says."""
    text = measured(stand, ["-x", ",", *EVENTS])
    counts = dict(perf_line(line, ",", 0) for line in text.splitlines())
    found = read(measured(stand, ["-j", *EVENTS]))["events"]
    stand.result("-x and JSON have the same counts",
                 counts ==
                 {event["event"]: event["count"] for event in found},
                 f"{counts} {found}")


def make_locale(stand):
    """One with a decimal comma, in the folder; whether it could be made."""
    folder = stand.folder / "locales"
    folder.mkdir()
    subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8",
                    str(folder / LOCALE)], check=False, capture_output=True,
                   timeout=600)
    shown = stand.run("locale", "decimal_point", LC_ALL=LOCALE,
                      LOCPATH=str(folder))
    return {"LC_ALL": LOCALE, "LOCPATH": str(folder)} \
        if shown.stdout == ",\n" else None


def shape(text):
    """Without the digits, which differ from run to run, and how many they are."""
    return re.sub(r" +", " ", re.sub(r"\d+", "9", text))


def series(stand, words, **changes):
    """What it writes for Prometheus."""
    file = stand.folder / "series.prom"
    file.unlink(missing_ok=True)
    measured(stand, [*words, "--textfile", str(file)], **changes)
    return file.read_text(encoding="utf-8") if file.exists() else ""


def test_locale(stand):
    """Numbers that differ from run to run are not compared, all else is."""
    german = make_locale(stand)
    stand.result("there is a locale with a decimal comma", german)
    locales = {"LC_ALL": "C"}, german or {}
    texts = [shape(series(stand, EVENTS, **changes)) for changes in locales]
    stand.result(f"--textfile: the same in {LOCALE}",
                 texts[0] == texts[1] and "9" in texts[0], " / ".join(texts))
    for words in ["-j"], ["--csv"], ["-x", ";"], ["--json-strings"], []:
        for more in EVENTS, MORE_THAN_FIT, ["-r", "3", *EVENTS], ["-g", "CLOCK"]:
            texts = [shape(measured(stand, [*words, *more], **changes))
                     for changes in locales]
            stand.result(f"{' '.join(words + more)}: the same in {LOCALE}",
                         texts[0] == texts[1] and "9" in texts[0],
                         " / ".join(texts))


def test(stand):
    """All of it."""
    stand.environment["PFMON_GROUPS"] = str(ROOT / "tools/pfmon/groups")
    test_json(stand)
    test_separated(stand)
    test_same_counts(stand)
    test_locale(stand)
