# SPDX-License-Identifier: GPL-2.0-only
"""Boots the guests, runs the test programs, and judges what they report.

README.md lists the modules; those with a main() run as `python3 -m checks.NAME`.
"""

from pathlib import Path

# The checkout, and the tables that the modules read there.
ROOT = Path(__file__).resolve().parents[1]
GUEST = ROOT / "tests/guest"
MUTANTS = ROOT / "tests/mutants"
