"""How far a call is, no faster than anybody may be told."""

import asyncio
import json
from typing import Any

from .call import Call
from .nats import Nats

PAUSE_S = 0.05


class Progress:
    """Of what comes within a pause the latest waits until that is over. To be used on the loop alone."""

    def __init__(self, nats: Nats, call: Call) -> None:
        self._nats = nats
        self._call = call
        self._n = 0
        # Nobody is shown it where the client asked for whole events.
        self._is_followed = call.body["call"].get("policy", {}).get("isFollowed", True)
        self._latest: list[Any] = []
        self._pause: asyncio.TimerHandle | None = None
        self._is_closed = False

    def offer(self, value: Any) -> None:
        if self._is_closed or not self._is_followed:
            return
        self._latest = [value]
        if self._pause is None:
            self._send()

    def close(self) -> None:
        """The call is over: what still waits is of no use to anybody."""
        self._is_closed = True
        if self._pause:
            self._pause.cancel()

    def _send(self) -> None:
        self._pause = None
        if not self._latest:
            return
        value = self._latest.pop()
        call = self._call
        self._n += 1
        told = {"invocationId": call.body["invocationId"], "attempt": call.attempt, "n": self._n, "value": value}
        self._pause = asyncio.get_running_loop().call_later(PAUSE_S, self._send)
        self._nats.publish(f"progress.{call.bucket}", json.dumps({**call.pass_(), **told}).encode())
