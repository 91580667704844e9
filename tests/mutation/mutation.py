# SPDX-License-Identifier: GPL-3.0-or-later
"""What one mutation is, and what a room's proof is made of."""

from typing import NamedTuple


class Mutation(NamedTuple):
    name: str
    file: str  # under proxy/core
    line: str  # part of one line
    instead: str
    tests: tuple  # of these, without "tst_", at least one must fail
    after: str = ""  # where to begin to look for the line


class Proof(NamedTuple):
    tests: str  # the folder of the tests, under tests/core
    rooms: tuple  # the folders that those tests link, under proxy/core
    files: tuple  # single files besides, under proxy/core
    libraries: tuple  # -l…
    mutations: list
