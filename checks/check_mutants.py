# SPDX-License-Identifier: GPL-2.0-only
"""Checks that the lists of mutants fit the checkout; used by make lint.

Every old text has to be found exactly once, every test has to exist.
"""

import sys
import tempfile
from pathlib import Path

from checks import ROOT, mutants



def trouble(mutant):
    """What is wrong with a mutant; "" if nothing."""
    with tempfile.TemporaryDirectory() as name:
        for file in mutant.files():
            copy = Path(name, file)
            copy.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / file).exists():
                copy.write_bytes((ROOT / file).read_bytes())
        try:
            mutant.apply(name)
        except mutants.ListError as error:
            return str(error)
    return ""


def main():
    """Names each mutant that does not fit."""
    try:
        known = mutants.read_all()
    except mutants.ListError as error:
        sys.exit(f"mutants: {error}")
    wrong = [text for text in map(trouble, known.values()) if text]
    for text in wrong:
        print(f"mutants: {text}", file=sys.stderr)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
