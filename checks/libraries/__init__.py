# SPDX-License-Identifier: GPL-2.0-only
"""The libraries with which people count, over perfmon: `make check-libraries`."""
