# SPDX-License-Identifier: GPL-3.0-or-later
"""A provider on loopback that goes wrong as it is told to.

It answers Anthropic's Messages and OpenAI's Responses (SSE, JSON and WebSocket) with a short text, or
with one tool call and then a text, and meets the first `times` model requests with its fault. The same
fault has a form for each way a request can come, so that a client and a proxy meet the same thing.
"""
import base64
import hashlib
import json
import socket
import socketserver
import struct
import threading
import time
import uuid

TEXT = "hello from the provider"
REASONS = {101: "Switching Protocols", 200: "OK"}
NAMES = {400: "invalid_request_error", 401: "authentication_error", 403: "permission_error",
         404: "not_found_error", 413: "request_too_large", 422: "invalid_request_error",
         429: "rate_limit_error", 504: "timeout_error", 529: "overloaded_error"}


class Fault:
    """What goes wrong.

    kind    status | drop | stall | error | cut | hang | slow | malformed | empty | badjson
    at      any | http | upgrade | create | continued: which requests meet it. `status`, `drop` and
            `stall` meet upgrades and HTTP requests, the others replies; `continued`: creates that
            name a previous response
    times   how many requests
    """

    def __init__(self, kind, at="any", times=10**9, **how):
        self.kind, self.at, self.left, self.how = kind, at, times, how
        self.lock = threading.Lock()

    def meets(self, what, continued=False):
        """Whether this request is one of those; `what`: http, upgrade or create."""
        early = self.kind in ("status", "drop", "stall")
        if early and what == "create" or not early and what == "upgrade":
            return False
        wanted = {"any": True, "continued": continued}.get(self.at, self.at == what)
        with self.lock:
            if not wanted or self.left <= 0:
                return False
            self.left -= 1
            return True


def identifier(prefix):
    return prefix + uuid.uuid4().hex[:24]


# ---- replies ------------------------------------------------------------------------------------

def blocks(message):
    content = message.get("content", [])
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def wants_tool(request):
    """Whether the scenario's tool was not called yet."""
    if "messages" in request:
        return not any(block["type"] == "tool_result" for m in request["messages"] for block in blocks(m))
    items = request.get("input", [])
    if request.get("generate") is False or isinstance(items, str):
        return False
    return not (items and items[-1].get("type", "").endswith("_output"))


def is_main(request):
    """Titles and the like come without tools."""
    return bool(request.get("tools")) or any(
        item.get("type") == "additional_tools" for item in request.get("input", []) if isinstance(item, dict))


def messages_events(request, tool):
    message = {"id": identifier("msg_"), "type": "message", "role": "assistant", "model": request.get("model"),
               "content": [], "stop_reason": None, "stop_sequence": None,
               "usage": {"input_tokens": 100, "output_tokens": 1}}
    if tool:
        block = {"type": "tool_use", "id": identifier("toolu_"), "name": "Bash", "input": {}}
        call = json.dumps({"command": "echo hello-from-tool", "description": "echo"})
        deltas = [{"type": "input_json_delta", "partial_json": part} for part in (call[:9], call[9:])]
        reason = "tool_use"
    else:
        block = {"type": "text", "text": ""}
        deltas = [{"type": "text_delta", "text": word + " "} for word in TEXT.split()]
        reason = "end_turn"
    events = [{"type": "message_start", "message": message},
              {"type": "content_block_start", "index": 0, "content_block": block}]
    events += [{"type": "content_block_delta", "index": 0, "delta": delta} for delta in deltas]
    events += [{"type": "content_block_stop", "index": 0},
               {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None},
                "usage": {"output_tokens": 12}},
               {"type": "message_stop"}]
    return events


def messages_reply(request, tool):
    events = messages_events(request, tool)
    content = ({"type": "tool_use", "id": identifier("toolu_"), "name": "Bash",
                "input": {"command": "echo hello-from-tool", "description": "echo"}} if tool
               else {"type": "text", "text": TEXT})
    return dict(events[0]["message"], content=[content], stop_reason="tool_use" if tool else "end_turn",
                usage={"input_tokens": 100, "output_tokens": 12})


def tool_item(request):
    names = {tool.get("name") for tool in request.get("tools", [])}
    for name, call in (("exec_command", {"cmd": "echo hello-from-tool"}),
                       ("shell_command", {"command": "echo hello-from-tool"}),
                       ("shell", {"command": ["bash", "-lc", "echo hello-from-tool"]}),
                       ("Bash", {"command": "echo hello-from-tool", "description": "echo"})):
        if name in names:
            return {"type": "function_call", "id": identifier("fc_"), "call_id": identifier("call_"),
                    "name": name, "arguments": json.dumps(call), "status": "completed"}
    return None


def responses_events(request, tool):
    response = {"id": identifier("resp_"), "object": "response", "created_at": int(time.time()),
                "status": "in_progress", "model": request.get("model"), "output": [], "error": None,
                "incomplete_details": None, "usage": None, "store": bool(request.get("store"))}
    events = [{"type": "response.created", "response": response},
              {"type": "response.in_progress", "response": response}]
    item = tool_item(request) if tool else None
    if request.get("generate") is False:
        output = []
    elif item:
        output = [item]
        events += [{"type": "response.output_item.added", "output_index": 0,
                    "item": dict(item, arguments="", status="in_progress")},
                   {"type": "response.function_call_arguments.delta", "output_index": 0,
                    "item_id": item["id"], "delta": item["arguments"]},
                   {"type": "response.function_call_arguments.done", "output_index": 0,
                    "item_id": item["id"], "arguments": item["arguments"]},
                   {"type": "response.output_item.done", "output_index": 0, "item": item}]
    else:
        part = {"type": "output_text", "text": TEXT + " ", "annotations": []}
        item = {"type": "message", "id": identifier("msg_"), "role": "assistant", "status": "completed",
                "content": [part]}
        output = [item]
        place = {"output_index": 0, "item_id": item["id"], "content_index": 0}
        events += [{"type": "response.output_item.added", "output_index": 0,
                    "item": dict(item, content=[], status="in_progress")},
                   dict(place, type="response.content_part.added", part=dict(part, text=""))]
        events += [dict(place, type="response.output_text.delta", delta=word + " ") for word in TEXT.split()]
        events += [dict(place, type="response.output_text.done", text=part["text"]),
                   dict(place, type="response.content_part.done", part=part),
                   {"type": "response.output_item.done", "output_index": 0, "item": item}]
    usage = {"input_tokens": 100, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 10,
             "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 110}
    events.append({"type": "response.completed",
                   "response": dict(response, status="completed", output=output, usage=usage)})
    for number, event in enumerate(events):
        event["sequence_number"] = number
    return events


def error_event(how, dialect):
    """The fault `error` in the dialect's words; dialect: messages, responses or socket."""
    code, text = how.get("code", "server_error"), how.get("message", "The provider's fault.")
    if dialect == "messages":
        kind = {"server_error": "api_error", "server_is_overloaded": "overloaded_error",
                "rate_limit_exceeded": "rate_limit_error", "invalid_value": "invalid_request_error"}
        return {"type": "error", "error": {"type": kind.get(code, "api_error"), "message": text}}
    if how.get("failed"):
        return {"type": "response.failed", "sequence_number": 3, "response": {
            "id": identifier("resp_"), "object": "response", "status": "failed", "output": [],
            "error": {"code": code, "message": text}}}
    if dialect == "responses":
        return {"type": "error", "code": code, "message": text, "param": None, "sequence_number": 3}
    event = {"type": "error", "status": how.get("status", 500),
             "error": {"type": how.get("type", "server_error"), "code": code, "message": text, "param": None}}
    if "headers" in how:
        event["headers"] = how["headers"]
    return event


# ---- the wire -----------------------------------------------------------------------------------

class Gone(Exception):
    """The connection is closed, or shall be."""


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        try:
            while self.one():
                pass
        except (Gone, OSError, ValueError):
            pass

    def one(self):
        line = self.rfile.readline(65536).decode("latin-1").split()
        if len(line) != 3:
            return False
        headers = {}
        while (text := self.rfile.readline(65536).decode("latin-1").strip()):
            name, value = text.split(":", 1)
            headers[name.lower()] = value.strip()
        body = self.read_body(headers)
        path = line[1].split("?")[0]
        if headers.get("upgrade", "").lower() == "websocket":
            self.upgrade(headers)
            return False
        if line[0] == "POST" and path.endswith(("/messages", "/responses")):
            self.model(json.loads(body), path.endswith("/messages"))
        elif line[0] == "POST" and path.endswith("/count_tokens"):
            self.answer(200, {"input_tokens": 1234})
        elif line[0] == "GET" and path.endswith("/models"):
            self.answer(200, {"object": "list", "data": []})
        elif line[0] == "HEAD":
            self.answer(200, None)
        else:
            self.answer(404, {"error": {"message": "no such route", "type": "not_found_error"}})
        return True

    def read_body(self, headers):
        if headers.get("transfer-encoding", "").lower() != "chunked":
            return self.rfile.read(int(headers.get("content-length", 0)))
        body = b""
        while (size := int(self.rfile.readline().split(b";")[0], 16)):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def answer(self, status, body, headers=None, kind="application/json"):
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
        body = (body or "").encode()
        lines = [f"HTTP/1.1 {status} {REASONS.get(status, 'Fault')}", f"content-type: {kind}",
                 f"content-length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        self.wfile.write(("\r\n".join(lines) + "\r\n\r\n").encode() + body)

    def reset(self):
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        raise Gone

    def stall(self):
        """Nothing more comes; until the other side goes."""
        self.connection.settimeout(None)
        while self.connection.recv(65536):
            pass
        raise Gone

    def meet_early(self, fault, messages):
        how = fault.how
        if fault.kind == "drop":
            self.reset()
        if fault.kind == "stall":
            self.stall()
        status, message = how["status"], how.get("message", f"The provider says {how['status']}.")
        headers = dict(how.get("headers", {}))
        if headers.get("retry-after") == "date":
            headers["retry-after"] = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + 6))
        if how.get("html"):
            self.answer(status, "<html><body>bad gateway</body></html>", headers, "text/html")
            return
        error = {"type": NAMES.get(status, "api_error"), "message": message}
        if not messages:
            error.update(type="provider_error", code=how.get("code"), param=None)
        self.answer(status, {"type": "error", "error": error} if messages else {"error": error}, headers)

    # HTTP

    def model(self, request, messages):
        server = self.server
        server.count("posts")
        main = is_main(request)
        fault = server.fault if main and server.fault and server.fault.meets("http") else None
        tool = server.tool and main and wants_tool(request)
        if fault and fault.kind in ("status", "drop", "stall"):
            self.meet_early(fault, messages)
            return
        events = messages_events(request, tool) if messages else responses_events(request, tool)
        if request.get("stream"):
            self.stream(events, fault, "messages" if messages else "responses")
            return
        reply = messages_reply(request, tool) if messages else events[-1]["response"]
        self.whole(reply, fault, messages)

    def whole(self, reply, fault, messages):
        """A reply that is no stream, and what its faults are there."""
        kind = fault.kind if fault else None
        if kind == "slow":
            time.sleep(fault.how["seconds"])
        elif kind == "hang":
            self.stall()
        elif kind == "cut":
            self.wfile.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 999\r\n\r\n{")
            self.reset()
        elif kind == "empty":
            self.answer(200, "")
            return
        elif kind in ("error", "malformed", "badjson"):
            code = fault.how.get("code", "")
            status = {"server_is_overloaded": 529, "rate_limit_exceeded": 429, "invalid_value": 400}.get(code, 500)
            self.meet_early(Fault("status", status=status), messages)
            return
        self.answer(200, reply)

    def chunk(self, text):
        data = text.encode()
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def event(self, event):
        self.chunk(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n")

    def stream(self, events, fault, dialect):
        kind, how = (fault.kind, fault.how) if fault else (None, {})
        if kind == "slow" and not how.get("head_first"):
            time.sleep(how["seconds"])
        if kind == "badjson":
            self.answer(200, "{this is no JSON", kind="application/json")
            return
        self.wfile.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\n"
                         b"transfer-encoding: chunked\r\n\r\n")
        if kind == "slow" and how.get("head_first"):
            time.sleep(how["seconds"])
        after = how.get("after", 3)
        if kind in ("error", "cut", "hang", "malformed"):
            for event in events[:after]:
                self.event(event)
        if kind == "error":
            self.event(error_event(how, dialect))
        elif kind == "cut":
            time.sleep(0.1)
            if how.get("how") != "end":
                self.reset()
        elif kind == "hang":
            while how.get("ping"):
                time.sleep(how["ping"])
                self.chunk(": alive\n\n" if how.get("comment") else 'event: ping\ndata: {"type": "ping"}\n\n')
            self.stall()
        elif kind == "malformed":
            self.chunk("event: x\ndata: {this is no JSON\n\n")
            for event in events[after:]:
                self.event(event)
        elif kind != "empty":
            for event in events:
                self.event(event)
        self.wfile.write(b"0\r\n\r\n")

    # WebSocket

    def upgrade(self, headers):
        self.server.count("upgrades")
        fault = self.server.fault
        if fault and fault.meets("upgrade"):
            self.meet_early(fault, False)
            return
        digest = hashlib.sha1((headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode())
        self.wfile.write(b"HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n"
                         b"sec-websocket-accept: " + base64.b64encode(digest.digest()) + b"\r\n\r\n")
        while True:
            opcode, data = self.message()
            if opcode == 8:
                self.frame(8, data[:2])
                return
            if opcode == 9:
                self.frame(10, data)
            elif opcode == 1:
                request = json.loads(data)
                if request.get("type") == "response.create":
                    self.create(request)

    def exactly(self, size):
        data = self.rfile.read(size)
        if len(data) != size:
            raise Gone
        return data

    def message(self):
        """One message, put together; control frames between its parts come first."""
        parts, first = b"", None
        while True:
            head = self.exactly(2)
            opcode, size = head[0] & 15, head[1] & 127
            if size == 126:
                size = struct.unpack(">H", self.exactly(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self.exactly(8))[0]
            mask = self.exactly(4) if head[1] & 128 else bytes(4)
            data = self.exactly(size)
            if any(mask):
                key = (mask * (size // 4 + 1))[:size]
                data = (int.from_bytes(data, "big") ^ int.from_bytes(key, "big")).to_bytes(size, "big")
            if opcode == 9:
                self.frame(10, data)
                continue
            if opcode >= 8:
                return opcode, data
            first = first or opcode
            parts += data
            if head[0] & 128:
                return first, parts

    def frame(self, opcode, data):
        size = len(data)
        head = bytes([128 | opcode])
        head += (bytes([size]) if size < 126 else bytes([126]) + struct.pack(">H", size) if size < 65536
                 else bytes([127]) + struct.pack(">Q", size))
        self.wfile.write(head + data)

    def say(self, event, lane):
        if lane is not None:
            event = dict(event, stream_id=lane)
        self.frame(1, json.dumps(event).encode())

    def close(self, code):
        self.frame(8, struct.pack(">H", code))
        self.stall()

    def create(self, request):
        server = self.server
        server.count("creates")
        fault = server.fault
        warm = request.get("generate") is False
        continued = bool(request.get("previous_response_id"))
        meets = is_main(request) and not warm and fault and fault.meets("create", continued)
        kind, how = (fault.kind, fault.how) if meets else (None, {})
        lane = None # lanes are not offered
        events = responses_events(request, server.tool and is_main(request) and wants_tool(request))
        if kind == "slow":
            time.sleep(how["seconds"])
        after = how.get("after", 3)
        if kind in ("error", "cut", "hang", "malformed"):
            for event in events[:after]:
                self.say(event, lane)
        if kind == "error":
            self.say(error_event(how, "socket"), lane)
            if "close" in how:
                self.close(how["close"])
        elif kind == "cut":
            time.sleep(0.1)
            if "code" in how:
                self.close(how["code"])
            self.reset()
        elif kind in ("empty", "badjson"): # its like on a socket: it ends without a word
            self.close(1000)
        elif kind == "hang":
            while how.get("ping"):
                time.sleep(how["ping"])
                self.frame(9, b"")
            return
        elif kind == "malformed":
            self.frame(1, b"{this is no JSON")
            for event in events[after:]:
                self.say(event, lane)
        else:
            for event in events:
                self.say(event, lane)
            if server.close_after:
                self.close(server.close_after)


class Provider(socketserver.ThreadingTCPServer):
    """Listens on 127.0.0.1:port from its construction on; as a context it serves."""
    daemon_threads = True
    block_on_close = False
    allow_reuse_address = True
    request_queue_size = 128

    def __init__(self, fault=None, tool=False, close_after=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.fault, self.tool, self.close_after = fault, tool, close_after
        self.port = self.server_address[1]
        self.counts = {"posts": 0, "upgrades": 0, "creates": 0}
        self.lock = threading.Lock()

    def count(self, what):
        with self.lock:
            self.counts[what] += 1

    def handle_error(self, request, client_address):
        pass # a client that went is what many of these faults are about

    def __enter__(self):
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *unused):
        self.shutdown()
        self.server_close()
