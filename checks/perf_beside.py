# SPDX-License-Identifier: GPL-2.0-only
"""Writes a page about what perf and pfmon say of programs whose truth is known.

usage: python3 -m checks.perf_beside CPU LINES PAGE

LINES is what tests/tools/perf_beside wrote in the guest, which says what they mean. Used
by `make perf-beside-truth`.
"""

import sys
from collections import defaultdict
from pathlib import Path

# The columns of shares, and of chains: the tool and how it recorded.
SHARES = (("pfmon", "-c"), ("perf", "-c"), ("pfmon", "default"), ("perf", "default"))
CHAINS = (("pfmon", "auto"), ("pfmon", "fp"), ("pfmon", "dwarf"), ("perf", "fp"),
          ("perf", "dwarf"))
TOOLS = ("pfmon", "perf")

HEAD = """<!-- SPDX-License-Identifier: GPL-2.0-only -->
# perf beside pfmon

`make perf-beside-truth` made this page. It measures the programs of `tests/truth/`, whose
sources say where their instructions are, with pfmon and with Debian's perf, in one boot
of the test machine. The numbers are not edited by hand.

This one: {version}, {cpu}, one processor.
"""

SHARES_TEXT = """
## Shares

The truth is the function's part of all user instructions in percent, by the source of the
program. Beside it is the function's share of the samples in each recording, and how far
this share is from the truth.
With `-c` the period gives about 1000 samples, so that chance alone makes errors of 1 to 3.
perf's periods are equal; pfmon's vary at random, and do not keep step with a loop.
`default` is a recording without a period: perf asks for 4000 samples a second, pfmon for
1000. Both begin with more, and the programs take only a fraction of a second each.

`daemon` continues after its first process has ended. pfmon waits for it with
`--wait-all`; perf does not have this option. perf prints names of C++ without arguments,
so they are compared without arguments.
"""

MEAN_TEXT = """
Mean error and greatest error of each column, all functions alike, and the mean number of
samples:
"""

CHAINS_TEXT = """
## Callers

Of the samples in functions whose callers are known, the table shows how many percent
have exactly these callers, up to `main`. The columns are words of `--call-graph`; pfmon's `-g` is `auto`, perf's is `fp`.
`nofp` programs have no frame pointers. `pie` programs have shared libraries, as most
programs of a distribution; the others, `static-pie` too, are linked statically.
"""

TOLD_TEXT = """
## Lost and unknown samples

Samples of `-c` that the tool says it lost, and samples whose function it does not know. A
program is not listed if all are zero. `vanishes` removes its file before it works.
"""

SECONDS_TEXT = """
## Time

Seconds of the guest's clock for the recordings of `-c` and their reports, all programs
together. They include the time of the programs themselves:
"""


def read(path):
    """{kind: [fields]} of the lines."""
    lines = defaultdict(list)
    for text in Path(path).read_text(encoding="utf-8").splitlines():
        kind, *fields = text.split("\t")
        lines[kind].append(fields)
    return lines


def table(head, rows):
    """The lines of a table; all columns but the first are numbers."""
    yield ""
    yield "| " + " | ".join(head) + " |"
    yield "|---" + "|---:" * (len(head) - 1) + "|"
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def percent(part, whole):
    """100 of nothing is nothing."""
    return 100 * part / whole if whole else 0.0


def shares(lines):
    """{(program, function, truth): {(tool, how): percent of the samples}}."""
    found = defaultdict(dict)
    for program, function, truth, tool, how, samples, whole in lines:
        found[program, function, float(truth)][tool, how] = \
            percent(int(samples), int(whole))
    return found


def samples_row(lines):
    """Of each column how many samples its recordings have."""
    counts = defaultdict(dict)
    for program, _, _, tool, how, _, whole in lines:
        counts[tool, how][program] = int(whole)
    return ["samples", *(f"{sum(counts[column].values()) / len(counts[column]):.0f}"
                         for column in SHARES)]


def share_rows(found):
    """Of each function what each recording said."""
    for (program, function, truth), said in found.items():
        yield [f"{program}: `{function}`", f"{truth:.1f}",
               *(f"{said[column]:.1f} ({said[column] - truth:+.1f})"
                 for column in SHARES)]


def mean_rows(found):
    """Of each column its mean and greatest error."""
    errors = {column: [abs(said[column] - truth)
                       for (_, _, truth), said in found.items()] for column in SHARES}
    yield ["mean", *(f"{sum(errors[column]) / len(errors[column]):.2f}"
                     for column in SHARES)]
    yield ["greatest", *(f"{max(errors[column]):.1f}" for column in SHARES)]


def chain_rows(lines):
    """Of each program how many samples had their callers."""
    found = defaultdict(dict)
    for program, tool, how, exact, whole in lines:
        found[program][tool, how] = percent(int(exact), int(whole))
    for program, said in found.items():
        yield [program, *(f"{said[column]:.4g}" for column in CHAINS)]


def told_rows(lines):
    """Of each program what was lost and what has no name."""
    found = defaultdict(dict)
    for program, tool, lost, unknown in lines:
        found[program][tool] = [lost, unknown]
    for program, said in found.items():
        row = [word for tool in TOOLS for word in said[tool]]
        if any(word != "0" for word in row):
            yield [program, *row]


def second_rows(lines):
    """Of each tool what its verbs took."""
    sums = defaultdict(float)
    for tool, verb, number in lines:
        sums[tool, verb] += float(number)
    for verb in ("record", "report"):
        yield [verb, *(f"{sums[tool, verb]:.1f}" for tool in TOOLS)]


def page(cpu, lines):
    """The lines of the page."""
    found = shares(lines["share"])
    columns = [f"{tool} {how}" for tool, how in SHARES]
    yield HEAD.format(version=lines["version"][0][0], cpu=cpu).rstrip()
    yield SHARES_TEXT.rstrip()
    yield from table(["function", "truth", *columns], share_rows(found))
    yield MEAN_TEXT.rstrip()
    yield from table(["error", *columns],
                     [*mean_rows(found), samples_row(lines["share"])])
    yield CHAINS_TEXT.rstrip()
    yield from table(["program", *(f"{tool} {how}" for tool, how in CHAINS)],
                     chain_rows(lines["chains"]))
    yield TOLD_TEXT.rstrip()
    yield from table(["program", *(f"{tool} {what}" for tool in TOOLS
                                   for what in ("lost", "unknown"))],
                     told_rows(lines["told"]))
    yield SECONDS_TEXT.rstrip()
    yield from table(["verb", *TOOLS], second_rows(lines["seconds"]))


def main():
    """Writes the page."""
    if len(sys.argv) != 4:
        sys.exit(__doc__.split("\n\n")[1])
    cpu, source, target = sys.argv[1:]
    text = "\n".join(page(cpu, read(source))) + "\n"
    Path(target).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
