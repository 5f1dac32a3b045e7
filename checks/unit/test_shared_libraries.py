# SPDX-License-Identifier: GPL-2.0-only
"""Tests shared_libraries.py with programs of both word sizes that nothing may execute;
writes TAP. Run by check-unit."""

import os
import subprocess
import tempfile
from pathlib import Path

from checks.shared_libraries import elf_class, libraries
from checks.unit import compare

FLAGS = {32: "-m32", 64: "-m64"}
LOADERS = {32: "/lib/ld-linux.so.2", 64: "/lib64/ld-linux-x86-64.so.2"}
CLASSES = {32: 1, 64: 2}

LIBRARY = "double cos(double); double own(double x) { return cos(x); }"
PROGRAM = "double own(double); int main(int n, char **w) { return own(n) > 2; }"


def compile_to(path, text, *words):
    """Compiles a source to a file without the permission to execute it."""
    subprocess.run(["cc", "-x", "c", "-", "-o", path, *words], input=text, text=True,
                   check=True)
    os.chmod(path, 0o644)
    return path


def make(folder, bits):
    """Compiles for a word size: libown, a library that needs libm; withBITS, which is
    linked with it; staticBITS, which needs no library. Returns libown's folder."""
    own = folder / f"lib{bits}"
    own.mkdir()
    compile_to(own / "libown.so", LIBRARY, FLAGS[bits], "-shared", "-fPIC", "-lm")
    compile_to(folder / f"with{bits}", PROGRAM, FLAGS[bits], f"-L{own}", "-lown", "-lm")
    compile_to(folder / f"static{bits}", "int main(void) { return 0; }", FLAGS[bits],
               "-static")
    return own


def message_of(program, folders):
    """How the search ends for want of a library."""
    try:
        return libraries(program, folders)
    except SystemExit as end:
        return str(end)


def tests(folder):
    """(name, what came, what has to come) of each test."""
    folders = ":".join(str(make(folder, bits)) for bits in (64, 32))
    text = folder / "text"
    text.write_text("#!/bin/sh\n", encoding="ascii")
    yield "a script needs none", libraries(text, folders), {}
    for bits, guest in ((64, "/usr/lib"), (32, "/lib32")):
        program = folder / f"with{bits}"
        found = libraries(program, folders)
        yield (f"a {bits}-bit program: its loader, its libraries and theirs",
               sorted(found), sorted([LOADERS[bits], *(f"{guest}/{name}" for name in (
                   "libc.so.6", "libm.so.6", "libown.so"))]))
        yield ("each of that word size",
               {elf_class(path) for path in found.values()}, {CLASSES[bits]})
        yield ("the folders are searched first", found[f"{guest}/libown.so"],
               f"{folder}/lib{bits}/libown.so")
        yield ("a library that is missing is named",
               message_of(program, f"{folder}/lib{96 - bits}"),
               f"mkinitramfs: {program} needs libown.so, which is not found")
        yield ("a static program needs none",
               libraries(folder / f"static{bits}", folders), {})


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        compare(list(tests(Path(name))))
