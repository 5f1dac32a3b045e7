# SPDX-License-Identifier: GPL-2.0-only
"""pfmon on many machines, with the real programs: launchers and Prometheus.

`__main__.py` says what is tested; the other modules are a program of others each.
"""
