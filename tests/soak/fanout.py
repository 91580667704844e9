#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""200 agents x 5 turns against a provider that allows 70 openings a minute.

    fanout.py HEADWAY [--agents N] [--turns N]

No turn may be lost, the provider never has to reject, `ledger verify` is clean, and once everybody is
connected the proxy's memory stays where it is. The provider, the proxy and the agents are processes of
their own. Takes about four minutes: 200 first turns at 60 openings a minute.
"""
import argparse
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.request

SCENARIO = {"provider": {
    "upgrade_limits": [{"kind": "sliding_window", "max": 70, "window_s": 60, "block_s": 20}],
    "connect_ms": [20, 80], "first_token_ms": [100, 400], "turn_ms": [500, 1500]}}
MOST_GROWTH_MIB = 4.0


def check(holds, what):
    print(("ok      " if holds else "FAILED  ") + what, flush=True)
    return bool(holds)


def start(*command):
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    return process, json.loads(process.stdout.readline())["listening"]


def agents(headway, url, count, turns, sessions):
    done = subprocess.run(
        [headway, "agents", "--base-url", url, "--count", str(count), "--turns", str(turns),
         "--sessions", str(sessions), "--think", "200,800", "--json"], stdout=subprocess.PIPE, text=True)
    return done.returncode, json.loads(done.stdout)


def resident_mib(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def state(url, key):
    request = urllib.request.Request(url + "/headway/v1/state", headers={"x-headway-key": key})
    with urllib.request.urlopen(request, timeout=30) as reply:
        return json.load(reply)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("headway")
    options.add_argument("--agents", type=int, default=200)
    options.add_argument("--turns", type=int, default=5)
    given = options.parse_args()
    headway = str(pathlib.Path(given.headway).resolve())
    folder = pathlib.Path(tempfile.mkdtemp(prefix="headway-soak-"))
    os.environ.update(XDG_CONFIG_HOME=str(folder / "config"), XDG_STATE_HOME=str(folder / "state"))
    scenario = folder / "scenario.json"
    scenario.write_text(json.dumps(SCENARIO))
    ledger = folder / "ledger.sqlite"
    provider, provider_url = start(headway, "simulate", "--scenario", str(scenario))
    upstream = provider_url.replace("http:", "ws:") + "/v1/responses"
    settings = ["access_key=soak-access-key-of-this-run-only-000000000000",
                "control_key=soak-control-key-of-this-run-only-00000000000",
                f"ledger={ledger}", "policy=bucket", "nursery_cap=256", "established_cap=256"]
    proxy, url = start(headway, "serve", "--upstream", upstream, "--listen", "127.0.0.1:0",
                       *[word for setting in settings for word in ("--set", setting)])
    access = url + "/k/" + settings[0].split("=")[1]
    control = settings[1].split("=")[1]
    held = True
    try:
        status, result = agents(headway, access, given.agents, given.turns, given.agents // 10)
        offered = given.agents * given.turns
        held &= check(status == 0 and result["lost"] == 0,
                      f"no lost turn ({result['completed']} of {offered} completed, "
                      f"{result['retries']} client retries)")
        held &= check(result["completed"] == offered, "every turn completed")
        after = state(url, control)
        held &= check(after["rejections"] == 0, f"the provider rejected {after['rejections']} openings")
        held &= check(after["opened"] == given.agents,
                      f"{after['opened']} openings for {given.agents} agents, "
                      f"{after['continued']} continuations")
        before_mib = resident_mib(proxy.pid)
        for _ in range(3):  # more turns, few new heads
            status, more = agents(headway, access, 10, 20, 1)
            held &= check(status == 0, f"{more['completed']} further turns")
        after_mib = resident_mib(proxy.pid)
        held &= check(after_mib - before_mib < MOST_GROWTH_MIB,
                      f"memory is flat: {before_mib:.1f} MiB, then {after_mib:.1f} MiB")
        proxy.send_signal(signal.SIGTERM)
        held &= check(proxy.wait(timeout=60) == 0, "the proxy ends with status 0")
        verify = subprocess.run([headway, "ledger", "verify", "--ledger", str(ledger)],
                                stdout=subprocess.PIPE, text=True)
        print(verify.stdout, end="")
        held &= check(verify.returncode == 0, "ledger verify is clean")
    finally:
        for process in (proxy, provider):
            process.kill()
            process.wait()
        shutil.rmtree(folder, ignore_errors=True)
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
