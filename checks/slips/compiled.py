# SPDX-License-Identifier: GPL-2.0-only
"""Whether a slip compiles without a warning, and changes the object.

The object is compiled as the build compiles it, but without debugging information.
"""

import os
import re
import subprocess
import tempfile
from pathlib import Path

SAME, BROKEN, CHANGED = "equivalent", "does not compile", "changed"

# Where Kbuild noted how it compiled, for the kernel and for the module.
KERNEL = "build/linux/tree/o-x86_64"
MODULE = "build/stock/{series}/tree"


def object_of(name):
    """The goal of make that a source of lib/ or tools/pfmon/ becomes."""
    path = Path(name).with_suffix(".o")
    if name.startswith("lib/"):
        return f"build/lib/x86_64/obj/{path.relative_to('lib')}"
    return f"build/tools/obj/{path.relative_to('tools/pfmon')}"


def compiler(text, name):
    """The command in TEXT, what make or Kbuild said, that compiles a source."""
    for command in re.split(r"\n|(?<=\s);", text):
        if " -c " in command and f"{Path(name).name}" in command:
            return re.sub(r"^(?:\S+ := )?(?:\S*ccache\s+)?", "", command.strip())
    return ""


def quiet(command):
    """A compiler's command without debugging information, dependencies and result."""
    command = re.sub(r"-Wp,-MMD,\S+|\s-MD\b|\s-MP\b|\s-o \S+", " ", command)
    return command + " -g0 -Werror"


class Compiler:
    """Compiles sources of the runner's tree, by its build."""

    def __init__(self, tree, series):
        self.tree, self.module = Path(tree), Path(tree, MODULE.format(series=series))
        self._commands, self._objects = {}, {}

    def _noted(self, name):
        """Kbuild's directory and command; name and source of the module differ."""
        inside = name.removeprefix("module/")
        place = (self.module if inside != name else self.tree / KERNEL)
        note = place / Path(inside).parent / f".{Path(inside).stem}.o.cmd"
        if not note.exists():
            return None, ""
        return place, note.read_text(encoding="utf-8").partition("\n")[0]

    def _find_command(self, name):
        if name.startswith(("lib/", "tools/")):
            done = subprocess.run(
                ["make", "-n", "V=1", "-W", name, object_of(name)], cwd=self.tree,
                env=environment(), capture_output=True, text=True, check=False)
            place, said = self.tree, done.stdout
        else:
            place, said = self._noted(name)
        command = compiler(said, name)
        return place, quiet(command) if command else ""

    def _command(self, name):
        """The directory and the command for a source."""
        if name not in self._commands:
            self._commands[name] = self._find_command(name)
        return self._commands[name]

    def compile(self, name):
        """The object of a source, b"" if there is none without a warning."""
        place, command = self._command(name)
        if not command:
            raise LookupError(f"{name}: nothing says how it is compiled")
        with tempfile.TemporaryDirectory() as directory:
            result = Path(directory, "a.o")
            done = subprocess.run(
                f"{command} -o {result}", shell=True, cwd=place, env=environment(),
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            return b"" if done.returncode else result.read_bytes()

    def judge(self, slip):
        """SAME, BROKEN or CHANGED."""
        if slip.file not in self._objects:
            self._objects[slip.file] = self.compile(slip.file)
        before = self._objects[slip.file]
        if not before:
            raise LookupError(f"{slip.file}: does not compile without a slip")
        texts = slip.apply(self.tree)
        try:
            after = self.compile(slip.file)
        finally:
            for file, text in texts.items():
                Path(self.tree, file).write_text(text, encoding="utf-8")
        if not after:
            return BROKEN
        return SAME if after == before else CHANGED


def environment():
    """The environment for a make that no other make has called."""
    return {name: value for name, value in os.environ.items()
            if not name.startswith(("MAKE", "CCACHE_BASEDIR", "MFLAGS"))}
