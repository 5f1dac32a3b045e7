# SPDX-License-Identifier: GPL-2.0-only
"""Takes the programs and commands out of the tutorial.

usage: tutorial PAGE SOURCES DIRECTORY

Reads the reStructuredText PAGE and writes into DIRECTORY:

- each program of the page (a C block with a caption), and the source files of
  SOURCES that its commands compile
- what the commands "cc ..." make of them; they are run here, in DIRECTORY, by
  the shell, with the environment's PATH and PKG_CONFIG_PATH
- "steps": all other commands with the output that the page shows, for
  tutorial_run, which executes them in the guest

A comment before a block says more about it:

  .. excerpt: examples/X.c	the lines of the block are in this file, in this
				order; "..." stands for any lines between
  .. check: within N%		numbers of the output may differ by so much
  .. check: any numbers		numbers of the output are any

A page that does not agree with the files ends this with a message. Used by
mk/tutorial.mk.
"""

import re
import shutil
import subprocess
import sys
import textwrap
from dataclasses import dataclass, field
from pathlib import Path

BLOCK = re.compile(r"\.\. code-block:: (\w+)$")
COMMENT = re.compile(r"\.\. (excerpt|check): (.*)$")
CAPTION = re.compile(r"\s+:caption: (\S+)$")
CHECKS = re.compile(r"exact|any numbers|within [0-9.]+%")
PROMPTS = {"$ ": "user", "# ": "root"}


@dataclass
class Block:
    """A literal block of the page."""

    line: int
    language: str
    caption: str = ""
    notes: dict = field(default_factory=dict)
    text: str = ""


@dataclass
class Step:
    """A command and the output that the page shows."""

    line: int
    who: str
    command: str
    check: str
    output: list = field(default_factory=list)


class Page:
    """The tutorial; complaints name its lines."""

    def __init__(self, path):
        self.path = path
        self.lines = path.read_text(encoding="utf-8").splitlines()

    def fail(self, line, message):
        """Ends the program."""
        sys.exit(f"{self.path}:{line}: {message}")

    def body(self, number):
        """The lines of a block after line NUMBER, and the number behind them."""
        start = number
        while number < len(self.lines) and (
                not self.lines[number] or self.lines[number][0].isspace()):
            number += 1
        return self.lines[start:number], number

    def blocks(self):
        """Yields the blocks in order."""
        notes = {}
        number = 0
        while number < len(self.lines):
            line = self.lines[number]
            number += 1
            comment = COMMENT.match(line)
            found = BLOCK.match(line)
            if comment:
                notes[comment[1]] = comment[2]
            elif found:
                block = Block(number, found[1], notes=notes)
                body, number = self.body(number)
                caption = CAPTION.match(body[0])
                if caption:
                    block.caption = caption[1]
                    body = body[1:]
                block.text = textwrap.dedent("\n".join(body)).strip("\n") + "\n"
                notes = {}
                yield block
            elif line and notes:
                self.fail(number, "a comment without a block behind it")

    def steps(self, block):
        """Yields the commands of a console block."""
        check = block.notes.get("check", "exact")
        if not CHECKS.fullmatch(check):
            self.fail(block.line, f"check: {check}: no such check")
        step = None
        for offset, line in enumerate(block.text.splitlines(), 2):
            who = PROMPTS.get(line[:2])
            if who:
                if step:
                    yield step
                step = Step(block.line + offset, who, line[2:], check)
            elif step:
                step.output.append(line)
            else:
                self.fail(block.line, "output without a command")
        if step:
            yield step


def check_excerpt(page, block, sources):
    """Ends the program unless the block is a part of its file."""
    path = sources.parent / block.notes["excerpt"]
    rest = textwrap.dedent(path.read_text(encoding="utf-8"))
    rest = "\n" + "\n".join(line.strip() for line in rest.splitlines()) + "\n"
    parts = re.split(r"^\s*\.\.\.\n", block.text, flags=re.MULTILINE)
    for part in parts:
        lines = "\n".join(line.strip() for line in part.splitlines())
        _, found, rest = rest.partition(f"\n{lines}\n")
        if not found:
            page.fail(block.line, f"not in {path}, or not there: {lines}")
        rest = "\n" + rest


def compile_program(page, step, sources, directory):
    """Runs a compiler's command where its sources are."""
    for name in re.findall(r"\b[\w-]+\.c\b", step.command):
        if not (directory / name).exists():
            shutil.copy(sources / name, directory)
    done = subprocess.run(["/bin/bash", "-c", step.command], cwd=directory,
                          capture_output=True, text=True, check=False)
    output = done.stdout + done.stderr
    if done.returncode or output.splitlines() != step.output:
        page.fail(step.line, f"{step.command}:\n{output}")


def write_steps(steps, path):
    """Writes what tutorial_run reads: lines that begin with their kind."""
    with open(path, "w", encoding="utf-8") as stream:
        for step in steps:
            stream.write(f"step {step.line} {step.who} {step.check}\n")
            stream.write(f"$ {step.command}\n")
            for line in step.output:
                stream.write(f"|{line}\n")


def main():
    """Extracts, compiles, writes."""
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    page = Page(Path(sys.argv[1]))
    sources, directory = Path(sys.argv[2]), Path(sys.argv[3])
    steps = []
    for block in page.blocks():
        if block.language == "console":
            for step in page.steps(block):
                if step.command.startswith("cc "):
                    compile_program(page, step, sources, directory)
                else:
                    steps.append(step)
        elif block.language == "c" and block.caption:
            path = directory / block.caption
            path.write_text(block.text, encoding="utf-8")
        elif block.language == "c" and "excerpt" in block.notes:
            check_excerpt(page, block, sources)
        else:
            page.fail(block.line, "neither a program nor an excerpt nor commands")
    if not steps:
        page.fail(1, "no commands")
    write_steps(steps, directory / "steps")


if __name__ == "__main__":
    main()
