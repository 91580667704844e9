#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws scenarios at random and lists those where policy `auto` misses its contract
(spec/pacing.md section 7): a place to look when its law is changed, never a table to tune.

    tests/lab/survey.py build/dev/app/headway [--first SEED] [--count N] [--seeds N] [--keep FOLDER]

Ends with 1 when the lab itself failed. A scenario that asks for more than its account gives (the
oracle finishes less than 97 % of it) is marked: there the cost of waiting in turn exceeds that of
giving up, and first come, first served is no longer the cheapest order.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile


def limit(draw, kind):
    if kind == "sliding_window":
        made = {"max": draw.choice([5, 15, 30, 50, 70, 100, [60, 20], [20, 80, 40]]),
                "window_s": draw.choice([10, 30, 60, 60, 60]),
                "block_s": draw.choice([0, 5, 20, 20, 40])}
        if isinstance(made["max"], list):
            made["every_s"] = draw.choice([60, 120, 200])
    elif kind == "token_bucket":
        made = {"rate_per_min": draw.choice([10, 30, 60, 120]), "burst": draw.choice([1, 5, 20])}
    elif kind == "concurrent":
        made = {"max": draw.choice([10, 25, 40, 60])}
    elif kind == "random":
        made = {"p": draw.choice([0.02, 0.05, 0.1, 0.2])}
    else:
        made = {"max": draw.choice([20, 60, 150]), "reset_s": draw.choice([20, 60, 120])}
    if draw.random() < 0.15:
        made["retry_after_s"] = draw.choice([1, 5, 20, 45])
    return {"kind": kind, **made}


def provider(draw):
    kinds = ["sliding_window", "token_bucket", "concurrent", "random", "after_total", None]
    chosen = draw.sample(kinds, draw.choice([1, 1, 1, 2]))
    made = {"upgrade_limits": [limit(draw, kind) for kind in chosen if kind]}
    if draw.random() < 0.2:
        made["others_per_min"] = draw.choice([5, 20, 40])
    if draw.random() < 0.25:
        made["faults"] = [{"kind": "reject_upgrades", "at_s": draw.choice([0, 30, 100]),
                           "for_s": draw.choice([5, 30, 90]),
                           "status": draw.choice([403, 429, 503])}]
    if draw.random() < 0.15:
        made["tokens_per_min"] = draw.choice([300000, 1000000, 3000000])
    if draw.random() < 0.3:
        made["turn_ms"] = draw.choice([[200, 1000], [1000, 4000], [20000, 90000]])
    return made


def session(draw):
    made = {"agents": draw.choice([3, 10, 25, 50, 100]), "turns": draw.choice([1, 4, 10, 20]),
            "start_s": draw.choice([[0, 0], [0, 2], [0, 30], [120, 121]])}
    if draw.random() < 0.8:
        made["new_ratio"] = draw.choice([0, 0.2, 0.43, 0.7, 1])
    if draw.random() < 0.3:
        made["interactive"] = True
    return made


def scenario(seed):
    draw = random.Random(seed)
    sessions = [session(draw) for _ in range(draw.choice([1, 1, 2, 4]))]
    return {"name": f"survey {seed}", "seed": draw.randint(1, 1000),
            "duration_s": draw.choice([600, 900, 1500]), "provider": provider(draw),
            "workload": {"sessions": sessions}}


def misses(result):
    """What of the contract does not hold, with the figures."""
    oracle, own = result["oracle"], result["policies"]["auto"]
    best, name = min((run["cost"], policy) for policy, run in result["policies"].items()
                     if policy != "auto")
    found = []
    if own["cost"] > 1.25 * oracle["cost"] + 0.5:
        found.append(f"oracle {oracle['cost']:.2f}")
    if own["cost"] > 1.05 * best + 0.5:
        found.append(f"{name} {best:.2f}")
    if own["completed"] < oracle["completed"]:
        found.append(f"completed {own['completed']:g} of the oracle's {oracle['completed']:g}")
    if not found:
        return None
    overload = " (overload)" if oracle["completed"] < 0.97 * oracle["offered"] else ""
    return (f"auto {own['cost']:.2f}, rejections {own['rejections']:g}: " + ", ".join(found)
            + overload)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--keep", help="a folder for the scenarios that are listed")
    options = parser.parse_args()
    missed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.first, options.first + options.count):
            text = json.dumps(scenario(seed), indent=1)
            path = os.path.join(folder, "scenario.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            run = subprocess.run([options.program, "lab", "run", path, "--policy", "all",
                                  "--seeds", str(options.seeds), "--json"],
                                 capture_output=True, text=True, check=False, timeout=600)
            if run.returncode != 0:
                failed += 1
                print(f"survey {seed}: exit status {run.returncode}: {run.stderr.strip()}")
                continue
            found = misses(json.loads(run.stdout))
            if not found:
                continue
            missed += 1
            print(f"survey {seed}: {found}", flush=True)
            if options.keep:
                os.makedirs(options.keep, exist_ok=True)
                with open(os.path.join(options.keep, f"survey-{seed}.json"), "w",
                          encoding="utf-8") as file:
                    file.write(text)
    print(f"{missed} of {options.count} scenarios miss the contract, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
