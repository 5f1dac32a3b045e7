# SPDX-License-Identifier: GPL-2.0-only
"""Slips at random: `make mutants-random` and the table of what covers each file.

tests/mutants/README.md describes both. The modules follow a slip's life: source,
statements, operands and types find it, choose picks it, compiled sees whether it
changes the object, covering names the programs that execute the file, and trial runs
them. run is the program. coverage, gcov and guest_coverage make the table.
"""
