# SPDX-License-Identifier: GPL-2.0-only
"""The file for the Firefox Profiler, by the fields of its version.

Nobody brings the Profiler as a package. The tables of processed profiles of version 48
are written down here, as the types of the Profiler's source have them; what this does
not know is refused.
"""

import collections
import json

from checks.exports import truth

VERSION, GECKO_VERSION = 48, 29

# Whether text, number, and so on; None is what may be null.
TEXT, NUMBER, BOOL, LIST, TABLE = (str,), (int, float), (bool,), (list,), (dict,)
NUMBER_OR_NONE = (int, float, type(None))
TEXT_OR_NONE = (str, type(None))

META = {
    "interval": NUMBER, "startTime": NUMBER, "version": NUMBER,
    "preprocessedProfileVersion": NUMBER, "processType": NUMBER,
    "extensions": TABLE, "categories": LIST, "product": TEXT,
    "stackwalk": NUMBER, "debug": BOOL, "markerSchema": LIST,
    "symbolicated": BOOL, "importedFrom": TEXT, "oscpu": TEXT, "misc": TEXT,
    "CPUName": TEXT,
}
PROFILE = {"meta": TABLE, "libs": LIST, "pages": LIST, "threads": LIST,
           "counters": LIST}
THREAD = {
    "processType": TEXT, "processStartupTime": NUMBER,
    "processShutdownTime": NUMBER_OR_NONE, "registerTime": NUMBER,
    "unregisterTime": NUMBER_OR_NONE, "pausedRanges": LIST,
    "showMarkersInTimeline": BOOL, "name": TEXT, "isMainThread": BOOL,
    "pid": TEXT, "tid": NUMBER, "samples": TABLE, "stackTable": TABLE,
    "frameTable": TABLE, "funcTable": TABLE, "resourceTable": TABLE,
    "nativeSymbols": TABLE, "markers": TABLE, "stringArray": LIST,
}

# Columns and what they have. A name: a row of that table, + "?": or null.
COLUMNS = {
    "samples": {"stack": "stackTable?", "time": NUMBER, "weight": NUMBER},
    "stackTable": {"prefix": "stackTable?", "frame": "frameTable",
                   "category": "categories", "subcategory": NUMBER},
    "frameTable": {
        "address": NUMBER, "inlineDepth": NUMBER, "category": "categories?",
        "subcategory": NUMBER_OR_NONE, "func": "funcTable",
        "nativeSymbol": "nativeSymbols?", "innerWindowID": NUMBER_OR_NONE,
        "implementation": TEXT_OR_NONE, "line": NUMBER_OR_NONE,
        "column": NUMBER_OR_NONE},
    "funcTable": {
        "name": "stringArray", "isJS": BOOL, "relevantForJS": BOOL,
        "resource": NUMBER, "fileName": "stringArray?",
        "lineNumber": NUMBER_OR_NONE, "columnNumber": NUMBER_OR_NONE},
    "resourceTable": {"lib": "libs?", "name": "stringArray",
                      "host": "stringArray?", "type": NUMBER},
    "nativeSymbols": {"libIndex": "libs", "address": NUMBER,
                      "name": "stringArray", "functionSize": NUMBER_OR_NONE},
    "markers": {"category": "categories", "data": TABLE, "name": "stringArray",
                "phase": NUMBER, "startTime": NUMBER_OR_NONE,
                "endTime": NUMBER_OR_NONE},
}


def wrong_fields(where, have, wanted):
    """Names of fields that are absent, unknown or of another type."""
    wrong = [f"{where}: no {name}" for name in wanted if name not in have]
    for name, value in have.items():
        kind = wanted.get(name)
        if kind is None:
            wrong.append(f"{where}: {name} is not known")
        elif not isinstance(value, kind) or \
                (isinstance(value, bool) and kind != BOOL):
            wrong.append(f"{where}: {name} is {value!r}")
    return wrong


def wrong_cells(where, column, kind, lengths):
    """Whether a column has a wrong cell: its type, or a row that is not there."""
    if isinstance(kind, tuple):
        good = [isinstance(cell, kind) and
                (kind == BOOL or not isinstance(cell, bool)) for cell in column]
    else:
        least = lengths[kind.rstrip("?")]
        good = [(cell is None and kind.endswith("?")) or
                (isinstance(cell, int) and 0 <= cell < least)
                for cell in column]
    return [] if all(good) else [f"{where}: a cell is wrong"]


def wrong_tables(profile, thread):
    """What is wrong with the tables of a thread."""
    lengths = {name: thread[name]["length"] for name in COLUMNS}
    lengths.update(stringArray=len(thread["stringArray"]),
                   categories=len(profile["meta"]["categories"]),
                   libs=len(profile["libs"]))
    wrong = []
    for name, columns in COLUMNS.items():
        table = {key: value for key, value in thread[name].items()
                 if key not in ("length", "weightType")}
        wrong += wrong_fields(name, table, dict.fromkeys(columns, LIST))
        for column, cells in table.items():
            where = f"{name}.{column}"
            if len(cells) != lengths[name]:
                wrong.append(f"{where} has {len(cells)} cells")
            wrong += wrong_cells(where, cells, columns.get(column, NUMBER),
                                 lengths)
    # The Profiler goes through stacks once, so callers come first.
    if any(prefix is not None and prefix >= stack for stack, prefix in
           enumerate(thread["stackTable"]["prefix"])):
        wrong.append("stackTable: a stack is before its prefix")
    return wrong


def wrong_profile(profile):
    """All that is wrong with the fields."""
    wrong = wrong_fields("profile", profile, PROFILE) + \
        wrong_fields("meta", profile["meta"], META)
    for thread in profile["threads"]:
        fields = wrong_fields("thread", thread, THREAD)
        wrong += fields or wrong_tables(profile, thread)
    versions = (profile["meta"].get("preprocessedProfileVersion"),
                profile["meta"].get("version"))
    if versions != (VERSION, GECKO_VERSION):
        wrong.append(f"versions {versions}")
    if "grey" not in [one["color"] for one in profile["meta"]["categories"]]:
        wrong.append("no category is grey")
    return wrong


def main_threads(profile):
    """Thread -> whether it is the main thread of its process."""
    return {thread["tid"]: thread["isMainThread"] for thread in
            profile["threads"]}


def stack_of(thread, stack):
    """The frames of a stack as names, files and whether they are the kernel's."""
    names, functions = thread["stringArray"], thread["funcTable"]
    frames = []
    while stack is not None:
        frame = thread["stackTable"]["frame"][stack]
        function = thread["frameTable"]["func"][frame]
        frames.append((names[functions["name"][function]],
                       names[functions["fileName"][function]],
                       thread["frameTable"]["category"][frame]))
        stack = thread["stackTable"]["prefix"][stack]
    return tuple(reversed(frames))


def samples_of(profile):
    """Process, thread, its name and stack -> samples; and all times in milliseconds."""
    found, times = collections.Counter(), []
    for thread in profile["threads"]:
        samples = thread["samples"]
        for stack, time, weight in zip(samples["stack"], samples["time"],
                                       samples["weight"]):
            found[int(thread["pid"]), thread["tid"], thread["name"],
                  stack_of(thread, stack)] += weight
            times.append(time)
    return dict(found), times


def test(stand, record):
    """The fields, and the samples of each event."""
    for event in truth.SAMPLED:
        file = stand.export(record, "firefox", "-e", truth.EVENTS[event])
        if not file:
            continue
        profile = json.loads(file.read_text(encoding="utf-8"))
        wrong = wrong_profile(profile)
        stand.result(f"{record.title}: the file for Firefox has the fields of its "
                     "version", not wrong, ", ".join(wrong[:5]))
        if wrong:
            continue
        found, times = samples_of(profile)
        name = truth.EVENTS[event]
        stand.same(record, f"the file for Firefox has {name}", found,
                   record.truth.sums(event, lambda row: (
                       row.tgid, row.tid, truth.NAMES[row.tid],
                       tuple((one.name, one.file, int(one.kernel))
                             for one in row.functions))))
        tids = {row.tid for row in record.truth.rows if row.event == event}
        stand.same(record, "the file for Firefox has main threads and others",
                   main_threads(profile),
                   {tid: truth.PROCESS[tid] == tid for tid in tids})
        wanted = sorted(time / 10**6 for row, time in zip(
            record.truth.order, record.truth.nanoseconds())
            if row.event == event)
        stand.result(f"{record.title}: the file for Firefox has {name} at their "
                     "times", sorted(times) == wanted, times[:3])
