# SPDX-License-Identifier: GPL-2.0-only
"""Evaluates each formula of the manufacturers' metrics twice: by pfmon, and by Python.

usage: python3 -m checks.formula_values PROGRAM FILE

PROGRAM prints the values of the formulas of its input (tests/unit/pfmon/formula_values.c).
Names have values that are made of their letters, some are zero.  Prints TAP.
"""

import re
import subprocess
import sys

TOKEN = re.compile(r"""
    (?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(?![\w.])
  | (?P<literal>\#\w+)
  | (?P<name>(?:[\w.:?]|\\.|@(?:[\w.:?,=/-]|\\.)*@)+)
  | (?P<mark><=|>=|==|!=|[-+*/%<>&|(),])
  | (?P<space>\s+)
""", re.X)

WORDS = {"if", "else"}
FUNCTIONS = {"min", "max", "d_ratio", "has_event", "source_count", "strcmp_cpuid_str"}
MARKS = {"&": " and ", "|": " or "}


def hash_of(text):
    """FNV-1a, as in the program."""
    value = 2166136261
    for letter in text.encode():
        value = (value ^ letter) * 16777619 & 0xffffffff
    return value >> 8


def count_of(name):
    """The value of an event or a metric."""
    return hash_of(name) % 100000 if hash_of(name) % 7 else 0


ENVIRONMENT = {
    "__builtins__": {}, "min": min, "max": max, "count": count_of,
    "literal": lambda name: hash_of(name) % 3,
    "d_ratio": lambda a, b: a / b if b else 0,
    "has_event": lambda name: hash_of(name) % 2,
    "source_count": lambda name: hash_of(name) % 3,
    "strcmp_cpuid_str": lambda name: hash_of(name) % 2,
}


def translated(formula):
    """The formula in Python's words."""
    place, parts, of_name = 0, [], False
    while place < len(formula):
        token = TOKEN.match(formula, place)
        if not token:
            sys.exit(f"{formula}: not understood at {formula[place:]}")
        text, place = token[0], token.end()
        name = re.sub(r"\\(.)", r"\1", text)
        if token.lastgroup == "literal":
            parts.append(f"literal({text!r})")
        elif token.lastgroup == "name" and text in WORDS:
            parts.append(f" {text} ")
        elif token.lastgroup == "name" and text in FUNCTIONS and \
                formula[place:].lstrip().startswith("("):
            parts.append(text)
            of_name = text not in ("min", "max", "d_ratio")
        elif token.lastgroup == "name":
            parts.append(repr(name) if of_name else f"count({name!r})")
            of_name = False
        else:
            parts.append(MARKS.get(text, text))
    return "".join(parts).strip()


def value_of(formula):
    """The value as Python has it, None: there is none."""
    try:
        value = eval(translated(formula), ENVIRONMENT)  # pylint: disable=eval-used
    except ZeroDivisionError:
        return None
    return float(value)


def agrees(formula, printed):
    """Whether the program printed the value."""
    value = value_of(formula)
    if value is None or printed == "none" or printed.startswith("wrong"):
        return value is None and printed == "none"
    # "and" and "or" are truths.
    if re.search(r"[&|]", formula):
        return bool(value) == bool(float(printed))
    return abs(value - float(printed)) <= 1e-9 * max(1.0, abs(value))


def main():
    """Judges all; whether one is wrong."""
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[2], encoding="utf-8") as file:
        formulas = sorted({line.split(" ", 1)[1].strip() for line in file
                           if line.startswith(("= ", "above "))})
    output = subprocess.run([sys.argv[1]], input="\n".join(formulas) + "\n", text=True,
                            capture_output=True, check=True).stdout.splitlines()
    wrong = [formula for formula, printed in zip(formulas, output, strict=True)
             if not agrees(formula, printed)]
    none = output.count("none")
    print("1..2")
    for formula in wrong[:20]:
        print(f"# {output[formulas.index(formula)]}, not {value_of(formula)}: {formula}")
    print("not ok" if wrong else "ok", "1 -", len(formulas),
          "formulas have the value that Python computes")
    few = len(formulas) < 1000 or not 0 < none < len(formulas) // 4
    print("not ok" if few else "ok", "2 - most have a value, and", none,
          "divide by zero")
    return bool(wrong) or few


if __name__ == "__main__":
    sys.exit(main())
