# SPDX-License-Identifier: GPL-2.0-only
"""speedscope, as npm has it: its own importer, in the browser.

What it has imported is taken from what it saves.
"""

import base64
import collections
import json

from checks.exports import folded, truth

# What is saved becomes a Blob: that is kept, and not written anywhere.
KEEP = """URL.createObjectURL = blob => { window.saved = blob; return "#"; }; true"""
SAVE = """(() => {
  window.dispatchEvent(new KeyboardEvent("keydown", {key: "s", ctrlKey: true}));
  return window.saved ? window.saved.text() : null;
})()"""


def imported(page, index, name, data):
    """What speedscope makes of a file: its own format as a dict, None: nothing."""
    # The same address again would load nothing.
    page.open("about:blank")
    page.open(f"{index.as_uri()}#localProfilePath=none")
    page.until("window.speedscope")
    page.evaluate(KEEP)
    text = base64.b64encode(data).decode()
    page.evaluate(f'speedscope.loadFileFromBase64("{name}", "{text}"); true')
    page.until(f"({SAVE}) !== null")
    saved = page.evaluate(SAVE)
    return json.loads(saved) if saved else None


def stacks(profile):
    """Names of frames from the outermost on -> weight. It saves where frames begin and
    end, one sample behind the other."""
    sums = collections.Counter()
    frames = [frame["name"] for frame in profile["shared"]["frames"]]
    for part in profile["profiles"]:
        stack, last = [], part["startValue"]
        for event in part["events"]:
            if event["at"] > last:
                sums[tuple(frames[one] for one in stack)] += event["at"] - last
                last = event["at"]
            if event["type"] == "O":
                stack.append(event["frame"])
            else:
                stack.pop()
    return dict(sums)


def test_folded(stand, record, page, index):
    """Folded lines of each event."""
    for event in truth.SAMPLED:
        name = truth.EVENTS[event]
        file = stand.export(record, "folded", "-e", name)
        profile = file and imported(page, index, "lines.txt", file.read_bytes())
        stand.same(record, f"speedscope has the folded lines of {name}",
                   stacks(profile) if profile else {},
                   record.truth.sums(event, folded.stack))


def test_pprof(stand, record, page, index):
    """A profile of pprof, of which it takes the last value."""
    file = stand.export(record, "pprof")
    profile = file and imported(page, index, "profile.pb.gz", file.read_bytes())
    stand.same(record, "speedscope has the profile of pprof",
               stacks(profile) if profile else {},
               record.truth.sums(truth.SAMPLED[-1], lambda row: tuple(
                   one.name for one in row.functions), truth.events_of))


def test(stand, record, browser):
    """Both; nothing but its own files is asked for."""
    index = stand.build / "exports/node_modules/speedscope/dist/release/index.html"
    page = browser.page()
    test_folded(stand, record, page, index)
    test_pprof(stand, record, page, index)
    away = [url for url in page.requests if not url.startswith(("file:", "about:", "data:"))]
    stand.result(f"{record.title}: speedscope asks nobody", not away, away)
