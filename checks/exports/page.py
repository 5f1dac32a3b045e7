# SPDX-License-Identifier: GPL-2.0-only
"""The page of pfmon export html, used as a person does."""

from checks.exports import graph, truth

# The texts of the cells of a table that are shown, by its number.
CELLS = """[...document.querySelectorAll("table")[%d].tBodies[0].rows]
  .filter(row => row.offsetParent !== null)
  .map(row => [...row.cells].map(cell => cell.textContent))"""
HEADS = """[...document.querySelectorAll("table")[%d].tHead.rows[0].cells]
  .map(cell => cell.textContent)"""
HEAD = """document.querySelectorAll("table")[%d].tHead.rows[0].cells[%d]"""
SEARCH = """document.querySelector("#search")"""

# Elements beside or above each other, of which none may lie on another.
BLOCKS = """[...document.body.children].map(one => one.getBoundingClientRect())
  .filter(box => box.height > 0).map(box => [box.top, box.bottom])"""
WIDTHS = """[document.documentElement.scrollWidth, window.innerWidth]"""

# What was run: titles and texts.
RUN = """[...document.querySelectorAll("dt")].map(title =>
  [title.textContent, title.nextElementSibling.textContent])"""

# What the page's policy has to forbid.
ASK = """new Promise(resolve => {
  document.addEventListener("securitypolicyviolation", event =>
    resolve(event.violatedDirective));
  fetch("http://127.0.0.1:9/").catch(() => setTimeout(resolve, 1000, "none"));
})"""

FUNCTIONS, SPOTS = 0, 1


def percent(part, whole):
    """As tables have it."""
    return f"{100 * part / whole:.2f}"


def functions(what, event):
    """Rows of the table of functions: name and file -> numbers."""
    total, flat = what.total(event), what.flat(event)
    rows = {}
    for function, samples in what.inclusive(event).items():
        own = flat.get(function, 0)
        numbers = [str(own), percent(own, total)]
        if what.chains:
            numbers += [str(samples), percent(samples, total)]
        rows[function.name, function.file] = numbers
    return rows


def spots(what, event):
    """Rows of the table of places: name, offset -> samples."""
    total, rows = what.total(event), {}
    for (function, offset), samples in what.sums(event, lambda row: (
            row.functions[-1], row.frames[-1].offset)).items():
        named = not function.name.startswith("[")
        key = function.name, f"+0x{offset:x}" if named else ""
        rows.setdefault(key, []).append([str(samples), percent(samples, total)])
    return {key: sorted(numbers) for key, numbers in rows.items()}


def run(event):
    """What the first chunk of the record tells."""
    name = truth.EVENTS[event]
    return [["command", "program"], ["recorded by", "pfmon record"],
            ["host", "elsewhere"], ["kernel", "6.12"],
            ["event", f"{name} ({name.upper()}), a sample each "
             f"{truth.PERIODS[event]}"]]


def test_tables(stand, record, page, event):
    """Each number of both."""
    stand.same(record, "page has each function's samples",
               {(row[-2], row[-1]): row[:-2]
                for row in page.evaluate(CELLS % FUNCTIONS)},
               functions(record.truth, event))
    found = {}
    lines = set()
    instructions = set()
    for samples, share, name, offset, line, instruction in page.evaluate(
            CELLS % SPOTS):
        found.setdefault((name, offset), []).append([samples, share])
        if name in truth.PROGRAM:
            lines.add(line.partition(":")[0])
            instructions.add(instruction)
    stand.same(record, "page has the samples of the hottest places",
               {key: sorted(numbers) for key, numbers in found.items()},
               spots(record.truth, event))
    stand.result(f"{record.title}: page has source lines of places",
                 lines <= {"program.S", "library.S"} and lines, lines)
    stand.result(f"{record.title}: page has instructions of places",
                 instructions == {"addl $1, %edx"}, instructions)
    stand.result(f"{record.title}: page tells what was run",
                 page.evaluate(RUN) == run(event), page.evaluate(RUN))


def in_order(texts, numbers):
    """Whether a column is sorted: numbers from the highest on."""
    if numbers:
        values = [float(text) for text in texts]
        return values == sorted(values, reverse=True)
    return texts == sorted(texts)


def test_sorting(stand, record, page):
    """A click on the head of each column, the last one first."""
    wrong = []
    for table in FUNCTIONS, SPOTS:
        heads = page.evaluate(HEADS % table)
        before = sorted(page.evaluate(CELLS % table))
        for column in reversed(range(len(heads))):
            page.click(HEAD % (table, column))
            rows = page.evaluate(CELLS % table)
            if sorted(rows) != before or not in_order(
                    [row[column] for row in rows],
                    heads[column].split()[0] in ("samples", "self", "total")):
                wrong.append(heads[column])
    stand.result(f"{record.title}: page sorts its tables by each column",
                 not wrong, wrong)


def test_search(stand, record, page, event):
    """What is typed hides other rows, and colours boxes."""
    wanted = [[row for row in page.evaluate(CELLS % table)
               if "walk" in " ".join(row).lower()] for table in (FUNCTIONS, SPOTS)]
    page.click(SEARCH)
    page.type("Walk")
    for table in FUNCTIONS, SPOTS:
        rows = page.evaluate(CELLS % table)
        stand.result(f"{record.title}: page: a search leaves the rows of table "
                     f"{table + 1} that have the word",
                     rows and rows == wanted[table], rows)
    graph.test_found(stand, record, "page", page, event=event, word="walk")
    stand.picture(record, "page, searched", page)
    page.evaluate(f"{SEARCH}.select()")
    page.ask("Input.dispatchKeyEvent", type="keyDown", key="Backspace",
             code="Backspace", windowsVirtualKeyCode=8)
    stand.same(record, "page: without a word all rows are back",
               {(row[-2], row[-1]): row[:-2]
                for row in page.evaluate(CELLS % FUNCTIONS)},
               functions(record.truth, event))


def test_layout(stand, record, page):
    """Nothing lies on anything else, and nothing sticks out."""
    blocks = page.evaluate(BLOCKS)
    stand.result(f"{record.title}: page has its parts below each other",
                 len(blocks) > 5 and all(above[1] <= below[0] + 0.5 for
                                         above, below in zip(blocks, blocks[1:])),
                 blocks)
    wide, room = page.evaluate(WIDTHS)
    stand.result(f"{record.title}: page is as wide as the window", wide <= room,
                 f"{wide} of {room}")


def test(stand, record, browser):
    """All of it, and that nothing comes from elsewhere or leaves."""
    event = truth.SAMPLED[0]
    file = stand.export(record, "html", "-e", truth.EVENTS[event])
    if not file:
        return
    file = file.rename(file.with_suffix(".html"))
    page = browser.page()
    page.open(file.as_uri())
    stand.picture(record, "page", page)
    title = page.evaluate("document.title + '|' + "
                          "document.querySelector('h1').textContent")
    name = truth.EVENTS[event]
    stand.result(f"{record.title}: page says of what event it is",
                 title == f"pfmon: {name}|{name}: "
                 f"{record.truth.total(event)} samples", title)
    test_tables(stand, record, page, event)
    test_layout(stand, record, page)
    graph.test_boxes(stand, record, "page", graph.boxes(page), event)
    graph.test_zoom(stand, record, "page", page, event)
    test_sorting(stand, record, page)
    test_search(stand, record, page, event)
    stand.result(f"{record.title}: page: nothing is asked for but the file",
                 page.requests == [file.as_uri()] and not page.troubles,
                 page.requests + page.troubles)
    stand.result(f"{record.title}: page may not ask for anything",
                 page.evaluate(ASK) == "connect-src")
