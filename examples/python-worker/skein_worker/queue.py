"""The calls of one worker's pools: no more are taken than can be begun."""

import asyncio
import json
import logging

from .names import durable, subject_token
from .nats import Message, Nats, until_answered

log = logging.getLogger(__name__)

WAIT_S = 5
#: Far above any tool's own attempts, which are counted per call.
MAX_DELIVER = 100
NANOS = 1_000_000_000


class CallQueue:
    """Pulls from the queues of several pools."""

    def __init__(self, nats: Nats, pools: list[str], ack_wait_s: float) -> None:
        self._nats = nats
        #: How long the server waits for word of a call: whoever takes from the queue says more often that it is at it.
        self.ack_wait_s = ack_wait_s
        self.prepared = asyncio.Event()
        self._bounds = json.dumps({"ackWaitMs": round(ack_wait_s * 1_000), "maxDeliver": MAX_DELIVER}).encode()
        self._pools = pools

    async def prepare(self) -> None:
        """Has the consumers made: a worker may not make them by itself."""
        for pool in self._pools:
            subject = f"rpc.queue.TOOLS.{subject_token(pool)}.normal"
            answer = await until_answered(lambda s=subject: self._nats.request(s, self._bounds), lambda: False)
            reply = json.loads(answer.data)
            if not reply.get("ok"):
                raise RuntimeError(f"{subject} was refused: {answer.data.decode()}")
            opened = reply.get("value") or {}
            self.ack_wait_s = min(self.ack_wait_s, opened.get("ackWaitMs", float("inf")) / 1_000)
        self.prepared.set()

    async def next(self, room: int) -> list[Message]:
        """What there is now, at most so many; waits for the first. Of messages that come at once there may be some more."""
        found: list[Message] = []
        for pool in self._pools:
            if len(found) < room:
                found += await self._pull([pool], room - len(found), wait_s=0)
        return found or await self._pull(self._pools, 1, wait_s=WAIT_S)

    async def _pull(self, pools: list[str], batch: int, wait_s: int) -> list[Message]:
        """One request to each of these pools; over with the first message that comes, or when all have nothing."""
        inbox = self._nats.inbox()
        found: list[Message] = []
        silent = len(pools)
        some = asyncio.Event()

        def take(message: Message) -> None:
            nonlocal silent
            if message.subject != inbox:
                found.append(message)
            elif message.status not in (0, 100):
                silent -= 1
            if len(found) >= batch or silent <= 0:
                some.set()

        sid = self._nats.subscribe(inbox, take)
        request = {"batch": batch, "expires": wait_s * NANOS} if wait_s else {"batch": batch, "no_wait": True}
        for pool in pools:
            subject = f"$JS.API.CONSUMER.MSG.NEXT.TOOLS.{durable(pool)}"
            self._nats.publish(subject, json.dumps(request).encode(), reply=inbox)
        try:
            await asyncio.wait_for(some.wait(), wait_s + 1)
        except TimeoutError:
            log.debug("no word of %s", pools)
        self._nats.unsubscribe(sid)
        return found
