# SPDX-License-Identifier: GPL-2.0-only
"""What pfmon export writes, read by the programs that it is for.

`__main__.py` says what is tested; `truth` says what was sampled, `recording` writes the
file that says so, and each of the other modules is a program that reads.
"""
