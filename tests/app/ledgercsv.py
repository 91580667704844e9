#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""`headway ledger export --format csv` against Python's own CSV reader and, where it is installed,
LibreOffice: the right columns, every cell as it is in the database, no formula.

    tests/app/ledgercsv.py build/dev/app/headway

Exit status: 0 fine, 1 not, 77 Python lacks a module.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

try:
    import csv
    import sqlite3
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

# Cells that a spreadsheet takes for a formula (OWASP, "CSV injection"), and what RFC 4180 must quote.
HOSTILE = [
    "=1+1", "+1", "-1", "@SUM(1)", "\t=1+1", "\r=1+1", "=cmd|' /C calc'!A0", '=HYPERLINK("http://x","y")',
    "a,=1+1", "a;=1+1", "a\t=1+1", "a\n=1+1", "a\r\n=1+1", '"=1+1"', 'a"b', '"', "'", "''=1", " =1+1", "",
    "2026-03-01", "1e5", "007", "TRUE", "π 🚂", "a" * 40_000,
]
GUARDED = ("=", "+", "-", "@", "\t", "\r")


class Failure(Exception):
    """What is wrong, in a sentence."""


def expect(fine, sentence):
    if not fine:
        raise Failure(sentence)


def make_ledger(headway, environment):
    """The ledger of a real proxy that started and stopped, with the hostile cells as warnings."""
    call = [headway, "serve", "--simulate", "--listen", "127.0.0.1:0"]
    with subprocess.Popen(call, env=environment, stdout=subprocess.PIPE) as serve:
        json.loads(serve.stdout.readline())
        serve.send_signal(signal.SIGTERM)
        expect(serve.wait(60) == 0, "the proxy did not end well")
    path = os.path.join(environment["HOME"], ".local/state/headway/ledger.sqlite")
    with sqlite3.connect(path) as database:
        (seq,) = database.execute("SELECT max(seq) FROM process").fetchone()
        for i, text in enumerate(HOSTILE):
            database.execute("INSERT INTO warning (seq, time, turn, session, agent, key, text) VALUES (?,?,?,?,?,?,?)",
                             (seq + 1 + i, "2026-03-01T09:05:07.042Z", None, text or None, None, text, text))
        # Numbers are no formulas, negative or not: nothing may stand in front of them.
        database.execute("INSERT INTO turn (seq, time, total_ms, input_tokens, reason) VALUES (?,?,?,?,?)",
                         (seq + 1 + len(HOSTILE), "2026-03-01T09:05:07.042Z", -1.5, -7, "-7"))
    database.close()
    return path


def cell(value):
    """As the export must write it."""
    if value is None:
        return ""
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() else repr(value)
    if isinstance(value, str) and value.startswith(GUARDED):
        return "'" + value
    return str(value)


def check_table(database, kind, path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file, strict=True))
        file.seek(0)
        expect(file.read().endswith("\r\n"), f"{kind}: the last line does not end with CRLF")
    columns = [name for _, name, *_ in database.execute(f'PRAGMA table_info("{kind}")') if name != "seq"]
    expect(sorted(rows[0]) == sorted(columns), f"{kind}: the header is {rows[0]}")
    names = ", ".join(f'"{name}"' for name in rows[0])
    wanted = [[cell(value) for value in row]
              for row in database.execute(f'SELECT {names} FROM "{kind}" ORDER BY seq')]
    expect(len(rows) - 1 == len(wanted), f"{kind}: {len(rows) - 1} rows, not {len(wanted)}")
    for number, (got, want) in enumerate(zip(rows[1:], wanted)):
        expect(got == want, f"{kind}, row {number}: {got!r}, not {want!r}"[:400])
    return rows


def check_libreoffice(folder, name, rows):
    """Converted to flat XML: no cell is a formula, and each row has the columns it should have."""
    soffice = shutil.which("soffice") or shutil.which("libreoffice")
    if not soffice:
        print("LibreOffice is not installed: not asked")
        return
    subprocess.run([soffice, "--headless", f"-env:UserInstallation=file://{folder}/office", "--convert-to", "fods",
                    "--infilter=CSV:44,34,76,1", "--outdir", folder, os.path.join(folder, name)],
                   check=True, timeout=280, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(os.path.join(folder, name.replace(".csv", ".fods")), encoding="utf-8") as file:
        sheet = file.read()
    expect("table:formula" not in sheet, f"{name}: LibreOffice took a cell for a formula")
    first = re.search(r"<table:table-row.*?</table:table-row>", sheet, re.DOTALL).group(0)
    header = re.findall(r"<text:p>(.*?)</text:p>", first)
    expect(header == rows[0], f"{name}: LibreOffice reads the columns {header}")
    print(f"LibreOffice opens {name} with {len(header)} columns and no formula")


def main():
    headway = os.path.abspath(sys.argv[1])
    csv.field_size_limit(1 << 20)
    with tempfile.TemporaryDirectory(prefix="headway-csv-") as home:
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("HEADWAY_", "XDG_"))}
        environment.update(HOME=home)
        ledger = make_ledger(headway, environment)
        folder = os.path.join(home, "csv")
        subprocess.run([headway, "ledger", "export", "--format", "csv", "--out", folder], check=True,
                       env=environment, stdout=subprocess.DEVNULL)
        database = sqlite3.connect(ledger)
        kinds = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
                 if not name.startswith("checkpoint")]
        expect(sorted(os.listdir(folder)) == sorted(f"{kind}.csv" for kind in kinds), "not one file for each kind")
        tables = {kind: check_table(database, kind, os.path.join(folder, f"{kind}.csv")) for kind in kinds}
        database.close()
        expect(len(tables["warning"]) >= len(HOSTILE) + 1, "the warnings are not all there")
        print(f"{len(kinds)} files hold what the database holds, and no formula")
        for kind in ("warning", "turn"):
            check_libreoffice(folder, f"{kind}.csv", tables[kind])


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        print(f"ledgercsv: {failure}", file=sys.stderr)
        sys.exit(1)
