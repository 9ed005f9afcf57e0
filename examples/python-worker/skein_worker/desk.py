"""What a worker asks session-svc: whether a call is its to run, and what time it is where deadlines are made."""

import asyncio
import json
import time
from typing import Any

from .call import Call
from .nats import Nats, until_answered

AGAIN_S = 1.0
CLOCK_S = 60.0
#: Then a call that comes again is counted by its deliveries, as where session-svc is of an earlier version.
COUNTED_S = 3.0
#: Kinds of errors that pass.
PASSING = ("unavailable", "deadline")


class Desk:
    def __init__(self, nats: Nats) -> None:
        self._nats = nats
        self._ahead_s: float | None = None

    def remaining_s(self, call: Call) -> float:
        """Until the call's deadline, which is by the database's clock; for ever while that is not known."""
        if self._ahead_s is None:
            return float("inf")
        return call.body["ticket"]["deadlineMs"] / 1_000 - time.monotonic() - self._ahead_s

    async def begin(self, call: Call) -> str:
        """Whether a call that may run once is begun here."""
        return (await self._ask("begin", call.begin_request(), self.remaining_s(call)))["verdict"]

    async def again(self, call: Call, beside: int) -> tuple[str, int]:
        """Whether a call that others may have died of is begun here, and as which of its starts."""
        try:
            said = await self._ask("again", call.again_request(beside), min(COUNTED_S, self.remaining_s(call)))
        except (ConnectionError, TimeoutError):
            most = call.policy["maxAttempts"]
            return ("run", call.attempt) if call.attempt <= most else ("spent", most)
        return said["verdict"], said.get("attempt", call.attempt)

    async def give_back(self, call: Call, reason: str) -> str:
        """Has a call that was not begun given to another worker; `unknown` says that none has its tool."""
        return (await self._ask("return", call.return_request(reason), self.remaining_s(call)))["verdict"]

    async def keep_time(self) -> None:
        while True:
            await self._nats.connected()
            asked_at = time.monotonic()
            try:
                reply = json.loads((await self._nats.request("rpc.call.clock", b"{}")).data)
                self._ahead_s = reply["value"]["nowMs"] / 1_000 - (asked_at + time.monotonic()) / 2
                await asyncio.sleep(CLOCK_S)
            except (ConnectionError, TimeoutError, KeyError):
                await asyncio.sleep(AGAIN_S)

    async def _ask(self, verb: str, request: bytes, within_s: float) -> dict[str, Any]:
        """Until there is an answer. Raises TimeoutError or ConnectionError when none came in time, RuntimeError for a refusal."""
        subject = f"rpc.call.{verb}"
        ends_at = time.monotonic() + within_s
        while True:
            answer = await until_answered(lambda: self._nats.request(subject, request), lambda: time.monotonic() >= ends_at)
            reply = json.loads(answer.data)
            if reply["ok"]:
                return reply["value"]
            if reply["error"]["kind"] not in PASSING:
                raise RuntimeError(f"{subject} was refused: {reply['error']}")
            if time.monotonic() >= ends_at:
                raise TimeoutError(f"{subject} was not answered: {reply['error']}")
            await asyncio.sleep(AGAIN_S)
