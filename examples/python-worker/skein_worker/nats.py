"""A client of core NATS over one TCP connection: as much of it as a tool worker needs."""

import asyncio
import itertools
import json
import logging
import re
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from .names import subject_token

log = logging.getLogger(__name__)

RECONNECT_S = 1.0
VERSION_LINE = b"NATS/1.0"
REFUSED = re.compile(r'permissions violation for publish to "([^"]+)"', re.IGNORECASE)


@dataclass(frozen=True)
class Message:
    subject: str
    reply: str
    data: bytes
    headers: dict[str, str] = field(default_factory=dict)
    #: Of a message from the server itself: why a pull ended, or that nobody listens.
    status: int = 0


Callback = Callable[[Message], None]


class Nats:
    """Connects again by itself, and subscribes again; what is published while it is away is lost, as core NATS has it."""

    def __init__(self, url: str, name: str) -> None:
        self._url = urlsplit(url)
        self._name = name
        # Where nobody but this user may listen.
        prefix = f"_INBOX_{subject_token(unquote(self._url.username))}" if self._url.username else "_INBOX"
        self._inbox = f"{prefix}.{secrets.token_hex(8)}"
        self._ids = itertools.count(1)
        self._subscriptions: dict[int, tuple[str, Callback]] = {}
        #: What was asked where, by where its answer goes.
        self._replies: dict[str, tuple[str, asyncio.Future[Message]]] = {}
        self._writer: asyncio.StreamWriter | None = None
        self._connected = asyncio.Event()
        self.on_connected: Callable[[], None] = lambda: None
        self.subscribe(f"{self._inbox}.r.*", self._take_reply)

    async def run(self) -> None:
        """Until it is cancelled."""
        while True:
            try:
                await self._session()
            except (OSError, asyncio.IncompleteReadError, ValueError) as failure:
                log.warning("NATS is away: %s", failure)
            finally:
                self._lose()
            await asyncio.sleep(RECONNECT_S)

    async def connected(self) -> None:
        await self._connected.wait()

    def inbox(self) -> str:
        """A subject of its own, for the answers to one request."""
        return f"{self._inbox}.{next(self._ids)}"

    def subscribe(self, subject: str, callback: Callback) -> int:
        sid = next(self._ids)
        self._subscriptions[sid] = (subject, callback)
        self._write(f"SUB {subject} {sid}\r\n".encode())
        return sid

    def unsubscribe(self, sid: int) -> None:
        self._subscriptions.pop(sid, None)
        self._write(f"UNSUB {sid}\r\n".encode())

    def publish(self, subject: str, data: bytes, headers: dict[str, str] | None = None, reply: str = "") -> None:
        where = f"{subject} {reply}".rstrip()
        if headers:
            lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
            block = VERSION_LINE + b"\r\n" + lines.encode() + b"\r\n"
            head = f"HPUB {where} {len(block)} {len(block) + len(data)}\r\n".encode()
            self._write(head + block + data + b"\r\n")
        else:
            self._write(f"PUB {where} {len(data)}\r\n".encode() + data + b"\r\n")

    async def request(self, subject: str, data: bytes, headers: dict[str, str] | None = None, timeout_s: float = 5.0) -> Message:
        """The one answer. Raises TimeoutError, ConnectionError when nobody listens or NATS goes away, or PermissionError."""
        reply = f"{self._inbox}.r.{next(self._ids)}"
        answer = asyncio.get_running_loop().create_future()
        self._replies[reply] = (subject, answer)
        try:
            self.publish(subject, data, headers, reply)
            message = await asyncio.wait_for(answer, timeout_s)
        finally:
            self._replies.pop(reply, None)
        if message.status == 503:
            raise ConnectionError(f"nobody answers {subject}")
        return message

    def _take_reply(self, message: Message) -> None:
        _, answer = self._replies.get(message.subject, ("", None))
        if answer and not answer.done():
            answer.set_result(message)

    def _take_error(self, text: str) -> None:
        log.error("NATS says %s", text)
        refused = REFUSED.search(text)
        # Nobody will answer what was sent there.
        self._reject(PermissionError(text), lambda subject: refused is not None and subject == refused[1])

    async def _session(self) -> None:
        reader, self._writer = await asyncio.open_connection(self._url.hostname, self._url.port or 4222, limit=2**23)
        options = {"lang": "python", "version": "0.1.0", "name": self._name, "verbose": False, "pedantic": False}
        options |= {"headers": True, "no_responders": True, "echo": False}
        if self._url.username:
            options |= {"user": unquote(self._url.username), "pass": unquote(self._url.password or "")}
        await reader.readline()  # INFO
        self._write(f"CONNECT {json.dumps(options)}\r\nPING\r\n".encode())
        for sid, (subject, _) in self._subscriptions.items():
            self._write(f"SUB {subject} {sid}\r\n".encode())
        while True:
            await self._read(reader)

    async def _read(self, reader: asyncio.StreamReader) -> None:
        line = await reader.readline()
        if not line:
            raise ConnectionError("the server closed the connection")
        verb, _, rest = line.decode().strip().partition(" ")
        if verb == "PING":
            self._write(b"PONG\r\n")
        elif verb == "PONG" and not self._connected.is_set():
            self._connected.set()
            self.on_connected()
        elif verb == "-ERR":
            self._take_error(rest)
        elif verb in ("MSG", "HMSG"):
            await self._take(reader, rest.split(" "), with_headers=verb == "HMSG")

    async def _take(self, reader: asyncio.StreamReader, words: list[str], with_headers: bool) -> None:
        size = int(words[-1])
        block_size = int(words[-2]) if with_headers else 0
        body = (await reader.readexactly(size + 2))[:size]
        places = words[: -2 if with_headers else -1]
        status, headers = _headers_of(body[:block_size])
        message = Message(places[0], places[2] if len(places) > 2 else "", body[block_size:], headers, status)
        subscription = self._subscriptions.get(int(places[1]))
        if subscription:
            subscription[1](message)

    def _write(self, data: bytes) -> None:
        if self._writer and not self._writer.is_closing():
            self._writer.write(data)

    def _lose(self) -> None:
        self._connected.clear()
        if self._writer:
            self._writer.close()
        self._writer = None
        self._reject(ConnectionError("NATS went away"), lambda _: True)

    def _reject(self, failure: Exception, is_lost: Callable[[str], bool]) -> None:
        for subject, answer in self._replies.values():
            if is_lost(subject) and not answer.done():
                answer.set_exception(failure)


def _headers_of(block: bytes) -> tuple[int, dict[str, str]]:
    if not block:
        return 0, {}
    first, *lines = block.decode().split("\r\n")
    status = first[len(VERSION_LINE) :].strip().split(" ")[0]
    pairs = (line.partition(":") for line in lines if line)
    return int(status or 0), {name.strip(): value.strip() for name, _, value in pairs}


async def until_answered(ask: Callable[[], Awaitable[Message]], is_over: Callable[[], bool]) -> Message:
    """Asks again while nobody answers: for what may be asked twice."""
    while True:
        try:
            return await ask()
        except (ConnectionError, TimeoutError):
            if is_over():
                raise
            await asyncio.sleep(RECONNECT_S)
