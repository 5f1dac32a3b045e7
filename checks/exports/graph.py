# SPDX-License-Identifier: GPL-2.0-only
"""A flame graph as the browser shows it: alone, and in the page."""

from checks.exports import truth

WIDTH = 1200  # of the graph in its own units

# The boxes that are shown: what they say, and where they are.
BOXES = """[...document.querySelectorAll("svg.flame g.box")]
  .filter(box => box.style.display !== "none").map(box => {
    const rect = box.querySelector("rect"), text = box.querySelector("text");
    const number = name => +rect.getAttribute(name);
    return {name: box.dataset.name, samples: +box.dataset.n,
            x: number("x"), y: number("y"), width: number("width"),
            label: text.textContent, room: text.textContent ?
              number("x") + number("width") - text.getBBox().x -
              text.getBBox().width : 0,
            title: box.querySelector("title").textContent,
            colour: rect.getAttribute("fill"),
            hit: getComputedStyle(rect).fill === "rgb(204, 102, 255)"};
  })"""

# By name, and if there are several by their samples.
BOX = """[...document.querySelectorAll("svg.flame g.box")].find(box =>
  box.dataset.name === "%s" && +box.dataset.n === %d)"""
LINK = """document.querySelector("svg.flame .%s")"""


def boxes(page):
    """The boxes with their paths: the names of those below, the lowest first."""
    shown = sorted(page.evaluate(BOXES), key=lambda box: -box["y"])
    for box in shown:
        middle = box["x"] + box["width"] / 2
        below = [other for other in shown if other["y"] > box["y"] and
                 other["x"] <= middle <= other["x"] + other["width"]]
        box["path"] = tuple(other["name"] for other in below) + (box["name"],)
    return shown


def levels(what, row):
    """What lies above each other for a row: all, thread, and its functions, or without
    chains its file and function."""
    names = [function.name for function in row.functions]
    if not what.chains:
        names = [row.functions[0].file or "[unknown]", *names]
    return ["all", truth.NAMES[row.tid], *names]


def paths(what, event):
    """Path -> samples of all rows that go through it."""
    def begins(row):
        names = levels(what, row)
        return {tuple(names[:end]) for end in range(1, len(names) + 1)}
    return what.sums(event, begins)


def overlapping(shown):
    """Names of boxes that lie on others of their row, or end where there is nothing."""
    wrong, ends = [], {}
    for box in sorted(shown, key=lambda box: (box["y"], box["x"])):
        if box["x"] < ends.get(box["y"], 0) - 0.02 or \
                box["x"] + box["width"] > WIDTH + 0.02:
            wrong.append(box["name"])
        ends[box["y"]] = box["x"] + box["width"]
    return wrong


def is_label(label, name):
    """Whether a text is that of a box: cut where there is no room, and a path without
    its directories."""
    last = name.rpartition("/")[2] if name.startswith("/") else name
    return label in ("", name, last) or (
        len(label) > 2 and label.endswith("..") and last.startswith(label[:-2]))


def is_cold(colour):
    """Whether a colour is one of the kernel's."""
    red, _, blue = (int(part) for part in colour[4:-1].split(","))
    return blue > red


def test_boxes(stand, record, name, shown, event):
    """Samples, widths and texts."""
    wanted = paths(record.truth, event)
    found, widths = {}, {}
    for box in shown:
        found[box["path"]] = found.get(box["path"], 0) + box["samples"]
        widths[box["path"]] = widths.get(box["path"], 0) + box["width"]
    stand.same(record, f"{name} has each call's samples", found, wanted)
    total = record.truth.total(event)
    wrong = [path for path, samples in wanted.items() if abs(
        widths.get(path, 0) - WIDTH * samples / total) > 2]
    stand.result(f"{record.title}: {name} has boxes as wide as their samples",
                 not wrong, wrong[:3])
    stand.result(f"{record.title}: {name} has no boxes on others",
                 not overlapping(shown), overlapping(shown)[:3])
    labels = [box["label"] for box in shown if box["label"]]
    wrong = [(box["label"], box["room"]) for box in shown if box["room"] <= -0.5 or
             not is_label(box["label"], box["name"])]
    stand.result(f"{record.title}: {name} has labels that fit",
                 len(labels) > 5 and not wrong, wrong)
    stand.result(f"{record.title}: {name} tells samples and shares of a box",
                 all(box["title"] == f"{box['name']} ({box['samples']} samples, "
                     f"{100 * box['samples'] / total:.2f} %)" for box in shown),
                 shown[0]["title"])
    kernel = {function.name for row in record.truth.rows
              for function in row.functions if function.kernel} | {"[kernel]"}
    wrong = [box["name"] for box in shown
             if is_cold(box["colour"]) != (box["name"] in kernel)]
    stand.result(f"{record.title}: {name} has the kernel in its own colours, and "
                 "nothing else", not wrong, wrong[:5])


def test_zoom(stand, record, name, page, event):
    """A click makes a box as wide as the graph, and back: one that does not begin where
    the graph does."""
    samples = record.truth.sums(event, lambda row: row.tid)[truth.CHILD]
    before = boxes(page)
    page.click(BOX % (truth.NAMES[truth.CHILD], samples))
    shown = boxes(page)
    wanted = {path: count for path, count in paths(record.truth, event).items()
              if path[:2] in (("all",), ("all", truth.NAMES[truth.CHILD]))}
    stand.same(record, f"{name}: a click leaves a thread's boxes and all",
               {box["path"]: box["samples"] for box in shown}, wanted)
    wide = sum(box["width"] > WIDTH - 1 for box in shown)
    deepest = [box for box in shown if len(box["path"]) > 2]
    stand.result(f"{record.title}: {name}: a click makes them wide",
                 wide >= 2 and not overlapping(shown) and
                 sum(box["width"] for box in shown if len(box["path"]) == 3) >
                 WIDTH - 2 * len(deepest) and
                 all(box["room"] > -0.5 for box in shown), wide)
    page.click(LINK % "reset")
    stand.result(f"{record.title}: {name}: a click on all brings all back",
                 boxes(page) == before)


def share(what, event, word):
    """Share of samples whose boxes match a word, as the graph writes it."""
    hits = sum(row.count for row in what.rows if row.event == event and any(
        word in text.lower() for text in levels(what, row)[1:]))
    return f"{100 * hits / what.total(event):.2f} % of the samples match"


def test_found(stand, record, name, page, *, event, word):
    """The boxes that a search has coloured, and what it says of them."""
    wrong = [box["name"] for box in boxes(page)
             if box["hit"] != (word in box["name"].lower() and
                               box["name"] != "all")]
    stand.result(f"{record.title}: {name}: a search colours what has the word",
                 not wrong, wrong[:5])
    text = page.evaluate(f"{LINK % 'found'}.textContent")
    stand.result(f"{record.title}: {name}: a search tells the share of samples",
                 text == share(record.truth, event, word), text)


def test(stand, record, browser):
    """All of it, and that nothing comes from elsewhere."""
    event = truth.SAMPLED[0]
    file = stand.export(record, "flame", "-e", truth.EVENTS[event])
    if not file:
        return
    file = file.rename(file.with_suffix(".svg"))
    page = browser.page()
    page.open(file.as_uri())
    test_boxes(stand, record, "graph", boxes(page), event)
    test_zoom(stand, record, "graph", page, event)
    page.prompt = "WALK"
    page.click(LINK % "search")
    test_found(stand, record, "graph", page, event=event, word="walk")
    stand.picture(record, "graph", page)
    stand.result(f"{record.title}: graph: nothing is asked for but the file",
                 page.requests == [file.as_uri()] and not page.troubles,
                 page.requests + page.troubles)
