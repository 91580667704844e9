# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the proxy and tests of the engine with CMake, whole or with one line broken.

Whole programs on real sockets: a mutation takes up to a minute, so they go one after the other and
only when the room is named.
"""

import os
import shutil
import subprocess

from workshop import ROOT, broken, passes


class EngineShop:
    """A copy of the tree and its build folder. `pool` stands where Workshop has one."""

    def __init__(self, folder, proof):
        self.tree = folder / "tree"
        self.build_folder = self.tree / "build" / "dev"
        self.proof = proof

    def copy(self):
        shutil.copytree(ROOT, self.tree, ignore=shutil.ignore_patterns("build", ".git", ".ccache"))

    def run(self, command):
        environment = dict(os.environ, CCACHE_BASEDIR=str(self.tree), CCACHE_NOHASHDIR="1")
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                              check=False, env=environment)
        if done.returncode != 0:
            raise RuntimeError((done.stdout + done.stderr)[-4000:])

    def make(self, tests):
        self.run(["cmake", "--build", self.build_folder, "-j2", "--target",
                  *("tst_" + test for test in tests)])

    def program(self, test):
        return next(self.build_folder.glob(f"tests/**/tst_{test}"))

    def build(self, pool):
        # A broken line may leave something unused.
        self.run(["cmake", "--preset", "dev", "-S", self.tree, "-DHEADWAY_UI=OFF",
                  "-DHEADWAY_WARNINGS_AS_ERRORS=OFF"])
        self.make(self.tests())

    def tests(self):
        return sorted({test for mutation in self.proof.mutations for test in mutation.tests})

    def check_unbroken(self, pool):
        failed = [test for test in self.tests() if not passes(self.program(test))]
        if failed:
            raise RuntimeError("fails unbroken: " + " ".join(failed))

    def attempt(self, mutation):
        """How one mutation ended: killed by whom, survived, stale, or not built."""
        file = self.tree / "proxy" / mutation.file
        whole = file.read_text()
        try:
            file.write_text(broken(whole, mutation))
        except ValueError:
            return "STALE: the line is not there any more"
        try:
            for test in mutation.tests:
                self.make([test])
                if not passes(self.program(test)):
                    return "killed by tst_" + test
        except RuntimeError as error:
            return "NOT BUILT\n" + str(error)
        finally:
            file.write_text(whole)
        return "SURVIVED " + " ".join(mutation.tests)
