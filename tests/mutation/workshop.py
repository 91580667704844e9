# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds a room of the core and its tests by hand, whole or with one line broken.

Without CMake, because a mutant is one object file: it stands in for the same object of the archive.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEST_TIMEOUT_S = 120


def said(command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


class Workshop:
    """One copy of the sources, its objects, and how to make them."""

    def __init__(self, folder, proof):
        self.folder = folder
        self.proof = proof
        self.core = folder / "proxy" / "core"
        self.tests = folder / "tests" / "core" / proof.tests
        self.objects = folder / "objects"
        self.compiler = os.environ.get("CXX", "g++")
        self.qt_cflags = said(["pkg-config", "--cflags", "Qt6Test"])
        self.libraries = said(["pkg-config", "--libs", "Qt6Test"]) + list(proof.libraries)
        libexec = said(["pkg-config", "--variable=libexecdir", "Qt6Core"])
        self.moc = shutil.which("moc", path=libexec[0] if libexec else None) or "moc"

    def copy(self):
        for room in ("proxy/core", f"tests/core/{self.proof.tests}"):
            shutil.copytree(ROOT / room, self.folder / room)
        self.objects.mkdir()

    def sources(self):
        found = [path for room in self.proof.rooms
                 for path in sorted((self.core / room).glob("*.cpp"))]
        return found + [self.core / name for name in self.proof.files]

    def test_names(self):
        """Of the tests that a mutation names."""
        return sorted({"tst_" + test for mutation in self.proof.mutations
                       for test in mutation.tests})

    def run(self, command):
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                              check=False)
        if done.returncode != 0:
            raise RuntimeError(done.stdout + done.stderr)

    def compile(self, source, target, flags=(), before=()):
        """`before`: folders whose headers go first."""
        first = [part for folder in before for part in ("-I", folder)]
        if source.stem.startswith("tst_"):
            flags = [*self.qt_cflags, "-DQT_NO_KEYWORDS", "-I", self.objects, *flags]
        self.run([self.compiler, "-std=c++20", "-O0", "-fPIC", "-w", *first, "-I", self.folder, *flags,
                  "-c", source, "-o", target])

    def object_of(self, source):
        return self.objects / (str(source.relative_to(self.folder)).replace("/", "_") + ".o")

    def uses(self, source, header):
        """Whether the object of `source` was made with `header`."""
        return str(header) in self.object_of(source).with_suffix(".d").read_text().split()

    def compile_whole(self, source):
        if source.stem.startswith("tst_"):
            self.run([self.moc, source, "-o", self.objects / (source.stem + ".moc")])
        target = self.object_of(source)
        self.compile(source, target, ["-MMD", "-MF", target.with_suffix(".d")])

    def link(self, name, target, instead=None):
        """Objects in `instead`, by source, stand in for those of the archive."""
        instead = dict(instead or {})
        test = self.tests / (name + ".cpp")
        main = instead.pop(test, self.object_of(test))
        self.run([self.compiler, main, *instead.values(), self.objects / "core.a", *self.libraries,
                  "-o", target])

    def build(self, pool):
        wanted = self.sources() + [self.tests / (name + ".cpp") for name in self.test_names()]
        for job in [pool.submit(self.compile_whole, source) for source in wanted]:
            job.result()
        self.run(["ar", "crs", self.objects / "core.a", *map(self.object_of, self.sources())])

    def check_unbroken(self, pool):
        """Every named test passes while nothing is broken; RuntimeError otherwise."""
        programs = [self.objects / name for name in self.test_names()]
        for job in [pool.submit(self.link, program.name, program) for program in programs]:
            job.result()
        failed = [program.name for program, ok in zip(programs, pool.map(passes, programs)) if not ok]
        if failed:
            raise RuntimeError("fails unbroken: " + " ".join(failed))

    def attempt(self, mutation):
        """How one mutation ended: killed by whom, survived, stale, or not built."""
        broken_file = self.core / mutation.file
        try:
            text = broken(broken_file.read_text(), mutation)
        except ValueError:
            return "STALE: the line is not there any more"
        with tempfile.TemporaryDirectory(dir=self.folder, prefix="mutant-") as name:
            folder = pathlib.Path(name)
            mutant = folder / broken_file.relative_to(self.folder)
            mutant.parent.mkdir(parents=True)
            mutant.write_text(text)
            try:
                programs = self.build_mutant(folder, broken_file, mutant, mutation.tests)
            except RuntimeError as error:
                return "NOT BUILT\n" + str(error)
            for program in programs:
                if not passes(program):
                    return "killed by " + program.name
        return "SURVIVED " + " ".join(mutation.tests)

    def build_mutant(self, folder, broken_file, mutant, tests):
        if broken_file.suffix == ".h":
            named = [self.tests / ("tst_" + test + ".cpp") for test in tests]
            touched = [source for source in self.sources() + named if self.uses(source, broken_file)]
        else:
            touched = [broken_file]
        instead = {}
        for source in touched:
            instead[source] = folder / self.object_of(source).name
            self.compile(mutant if source == broken_file else source, instead[source], before=[folder])
        programs = []
        for test in tests:
            programs.append(folder / test)
            test_source = self.tests / ("tst_" + test + ".cpp")
            others = {source: made for source, made in instead.items()
                      if source.parent != self.tests or source == test_source}
            self.link("tst_" + test, programs[-1], others)
        return programs


def passes(program):
    environment = dict(os.environ, LC_ALL="C.UTF-8")
    try:
        done = subprocess.run([str(program)], capture_output=True, timeout=TEST_TIMEOUT_S,
                              env=environment, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def broken(text, mutation):
    """The text with one line changed: the first match behind the anchor, which must be there."""
    start = text.index(mutation.after) if mutation.after else 0
    at = text.index(mutation.line, start)
    if "\n" in mutation.line or "\n" in mutation.instead:
        raise ValueError("more than one line")
    return text[:at] + mutation.instead + text[at + len(mutation.line):]
