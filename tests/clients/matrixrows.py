# SPDX-License-Identifier: GPL-3.0-or-later
"""The rows of the matrix: what the provider does, in words, and as a fault of faultyprovider.py.

Each row: name, words, the ways that are tried, the fault, and whether the turn has a tool step.
Ways: `claude` is Claude Code, through pass-through and, where `translated`, through the translation;
`codex` is Codex over WebSocket, `codex-http` over HTTP.
"""
from faultyprovider import Fault

CLAUDE, TRANSLATED, CODEX, CODEX_HTTP = "claude", "translated", "codex", "codex-http"
ALL = (CLAUDE, TRANSLATED, CODEX_HTTP)
BOTH = (CLAUDE, TRANSLATED)
SOCKET = (TRANSLATED, CODEX)


class Row:
    def __init__(self, name, words, ways, fault, tool=False, close_after=None):
        self.name, self.words, self.ways, self.fault = name, words, ways, fault
        self.tool, self.close_after = tool, close_after


def after(seconds):
    return {"headers": {"retry-after": str(seconds)}}


def status(code, times=10**9, at="any", **how):
    return lambda: Fault("status", at, times, status=code, **how)


def fault(kind, times=10**9, at="any", **how):
    return lambda: Fault(kind, at, times, **how)


def error(code, times=10**9, at="any", **how):
    return lambda: Fault("error", at, times, code=code, **how)


LIMIT = dict(code="websocket_connection_limit_reached", type="invalid_request_error", status=400, after=0)
LOST = dict(code="previous_response_not_found", type="invalid_request_error", status=400, after=0)

ROWS = [
    Row("none", "nothing", (CLAUDE, TRANSLATED, CODEX, CODEX_HTTP), lambda: None, tool=True),

    # ---- a status in place of a reply, whichever way the request comes
    Row("429-ra3-2", "429 with Retry-After 3 s, twice", ALL, status(429, 2, **after(3))),
    Row("429-ra3", "429 with Retry-After 3 s, for ever", ALL, status(429, **after(3))),
    Row("429-2", "429 without a time, twice", ALL, status(429, 2)),
    Row("429", "429 without a time, for ever", ALL, status(429)),
    Row("429-date", "429 with Retry-After as a date in 6 s, once", ALL, status(429, 1, **after("date"))),
    Row("429-ra120", "429 with Retry-After 120 s, once", ALL, status(429, 1, **after(120))),
    Row("429-ms", "429 with retry-after-ms 1500, twice", ALL,
        status(429, 2, headers={"retry-after-ms": "1500"})),
    Row("429-no", "429 with x-should-retry: false, once", (CLAUDE,),
        status(429, 1, headers={"x-should-retry": "false", "retry-after": "1"})),
    Row("529-2", "529, twice", ALL, status(529, 2)),
    Row("529", "529, for ever", ALL, status(529)),
    Row("500-2", "500, twice", ALL, status(500, 2)),
    Row("500", "500, for ever", ALL, status(500)),
    Row("503-ra2-2", "503 with Retry-After 2 s, twice", ALL, status(503, 2, **after(2))),
    Row("502-html", "502 with an HTML page, twice", ALL, status(502, 2, html=True)),
    Row("504-2", "504, twice", ALL, status(504, 2)),
    Row("408-2", "408, twice", ALL, status(408, 2)),
    Row("409-2", "409, twice", ALL, status(409, 2)),
    Row("400", "400, for ever", ALL, status(400)),
    Row("401", "401, for ever", ALL, status(401)),
    Row("403", "403 with a message, for ever", ALL, status(403)),
    Row("404", "404, for ever", ALL, status(404)),
    Row("413", "413, for ever", ALL, status(413)),
    Row("422", "422, for ever", ALL, status(422)),
    Row("drop-1", "connection reset before any answer, once", ALL, fault("drop", 1)),
    Row("drop-3", "connection reset before any answer, three times", ALL, fault("drop", 3)),
    Row("drop", "connection reset before any answer, for ever", ALL, fault("drop")),

    # ---- the upgrade alone: plain HTTPS would do
    Row("up-426", "upgrade: 426", SOCKET, status(426, at="upgrade")),
    Row("up-401", "upgrade: 401", SOCKET, status(401, at="upgrade")),
    Row("up-404", "upgrade: 404", SOCKET, status(404, at="upgrade")),
    Row("up-403-1", "upgrade: 403 with a message, once", SOCKET, status(403, 1, at="upgrade")),
    Row("up-403", "upgrade: 403 with a message, for ever", SOCKET, status(403, at="upgrade")),
    Row("up-400", "upgrade: 400", SOCKET, status(400, at="upgrade")),
    Row("up-429-ra3-2", "upgrade: 429 with Retry-After 3 s, twice", SOCKET,
        status(429, 2, at="upgrade", **after(3))),
    Row("up-429-1", "upgrade: 429 without a time, three times", SOCKET, status(429, 3, at="upgrade")),
    Row("up-500-2", "upgrade: 500, twice", SOCKET, status(500, 2, at="upgrade")),
    Row("up-500", "upgrade: 500, for ever", SOCKET, status(500, at="upgrade")),
    Row("up-503-ra3-2", "upgrade: 503 with Retry-After 3 s, twice", SOCKET,
        status(503, 2, at="upgrade", **after(3))),
    Row("up-drop-1", "upgrade: connection reset, once", SOCKET, fault("drop", 1, at="upgrade")),
    Row("up-stall-1", "upgrade: no answer, once", SOCKET, fault("stall", 1, at="upgrade")),

    # ---- a reply that begins and goes wrong
    Row("error-over-1", "stream: overloaded after 3 events, once", ALL,
        error("server_is_overloaded", 1, after=3, status=503)),
    Row("error-over0-1", "stream: overloaded as the first event, once", ALL + (CODEX,),
        error("server_is_overloaded", 1, after=0, status=503)),
    Row("error-over0", "stream: overloaded as the first event, for ever", ALL + (CODEX,),
        error("server_is_overloaded", after=0, status=503)),
    Row("error-rate-1", "stream: rate limit with Retry-After 4 s after 1 event, once", ALL + (CODEX,),
        error("rate_limit_exceeded", 1, after=1, status=429, type="rate_limit_error",
              message="Rate limit reached. Please try again in 4s.", headers={"retry-after": "4"})),
    Row("error-rate-bare-1", "stream: rate limit without a time, once", ALL + (CODEX,),
        error("rate_limit_exceeded", 1, after=0, status=429, type="rate_limit_error")),
    Row("error-api-1", "stream: server error after 1 event, once", ALL + (CODEX,),
        error("server_error", 1, after=1)),
    Row("error-api", "stream: server error after 1 event, for ever", ALL + (CODEX,),
        error("server_error", after=1)),
    Row("failed-1", "response.failed with server_error, once", SOCKET + (CODEX_HTTP,),
        error("server_error", 1, after=1, failed=True)),
    Row("failed-rate-1", "response.failed, rate limit, try again in 2.5 s, once", SOCKET + (CODEX_HTTP,),
        error("rate_limit_exceeded", 1, after=1, failed=True,
              message="Rate limit reached. Please try again in 2.5s.")),
    Row("failed-quota", "response.failed with insufficient_quota", SOCKET + (CODEX_HTTP,),
        error("insufficient_quota", after=1, failed=True, message="You exceeded your current quota.")),
    Row("failed-context", "response.failed with context_length_exceeded", SOCKET + (CODEX_HTTP,),
        error("context_length_exceeded", after=1, failed=True,
              message="Your input exceeds the context window of this model.")),
    Row("error-400", "stream: invalid request", SOCKET, error("invalid_value", after=0, status=400,
                                                              type="invalid_request_error")),
    Row("usage", "plan limit reached", (TRANSLATED, CODEX),
        error("usage_limit_reached", after=0, status=429, type="usage_limit_reached",
              message="The usage limit has been reached.")),
    Row("cut0-1", "stream: reset before the first event, once", ALL + (CODEX,), fault("cut", 1, after=0)),
    Row("cut1-1", "stream: reset after 1 event, once", ALL + (CODEX,), fault("cut", 1, after=1)),
    Row("cut5-1", "stream: reset in the middle of the text, once", ALL + (CODEX,), fault("cut", 1, after=5)),
    Row("cut1", "stream: reset after 1 event, for ever", ALL + (CODEX,), fault("cut", after=1)),
    Row("end3-1", "stream: ends cleanly without its last event, once", ALL + (CODEX,),
        fault("cut", 1, after=3, how="end", code=1000)),
    Row("close-1011", "socket: close 1011 before the first event, once", SOCKET,
        fault("cut", 1, after=0, code=1011)),
    Row("close-1012", "socket: close 1012 before the first event, once", SOCKET,
        fault("cut", 1, after=0, code=1012)),
    Row("close-1009", "socket: close 1009, message too large", SOCKET,
        fault("cut", at="create", after=0, code=1009)),
    Row("close-after", "socket: closed after every reply", SOCKET, lambda: None, tool=True, close_after=1000),
    Row("limit-1", "socket: its lifetime limit is reached, once", SOCKET, error(times=1, **LIMIT)),
    Row("limit-close-1", "socket: its lifetime limit is reached, then close 1000, once", SOCKET,
        error(times=1, close=1000, **LIMIT)),
    Row("lost-1", "previous response not found, once", SOCKET,
        error(times=1, at="continued", **LOST), tool=True),
    Row("lost", "previous response not found, always", SOCKET, error(at="continued", **LOST), tool=True),
    Row("empty-1", "200 with nothing in it, once", ALL, fault("empty", 1)),
    Row("badjson-1", "200 with broken JSON, once", ALL, fault("badjson", 1)),
    Row("malformed-1", "stream: one line that is no JSON, once", ALL + (CODEX,), fault("malformed", 1, after=3)),
    Row("slow-60", "first byte after 60 s", ALL + (CODEX,), fault("slow", 1, seconds=60)),
    Row("slow-60-head", "headers at once, first event after 60 s", (CLAUDE, CODEX_HTTP),
        fault("slow", 1, seconds=60, head_first=True)),
    Row("hang0-1", "stream: silence before the first event, once", ALL + (CODEX,), fault("hang", 1, after=0)),
    Row("hang3-1", "stream: silence after 3 events, once", ALL + (CODEX,), fault("hang", 1, after=3)),
]
