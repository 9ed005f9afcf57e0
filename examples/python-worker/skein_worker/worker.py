"""The worker: takes calls, runs their tools, gives their results."""

import asyncio
import json
import logging
import time
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .call import Call, ended_by_cancel, error, read_call, refusal, refused, spent
from .desk import Desk
from .nats import Message, Nats, until_answered
from .payloads import HEADER, Payloads
from .progress import Progress
from .queue import CallQueue
from .runs import Runs
from .tools import Context, State, Tool

log = logging.getLogger(__name__)

ANNOUNCE_S = 1.0
#: What a runner may take to store what a result led to; then the result goes to the queue.
TAKEN_WITHIN_S = 0.1
REMEMBERED_CANCELS = 10_000
#: What a tool that asks for it is tried again after.
RETRIED = ("tool.threw", "tool.timeout", "tool.heartbeat")


@dataclass(frozen=True)
class Settings:
    name: str
    nats_url: str
    pools: list[str]
    concurrency: int = 16
    ack_wait_s: float = 30.0
    grace_s: float = 25.0
    payloads: Path = Path(".skein/payloads")
    payload_limit_bytes: int = 262_144


class Worker:
    def __init__(self, settings: Settings, tools: list[Tool]) -> None:
        self._settings = settings
        self._tools = {(tool.app, tool.name): tool for tool in tools}
        self._nats = Nats(settings.nats_url, settings.name)
        self._queue = CallQueue(self._nats, settings.pools, settings.ack_wait_s)
        self._desk = Desk(self._nats)
        self._runs = Runs(settings.concurrency)
        self._payloads = Payloads(settings.payloads, settings.payload_limit_bytes)
        self._running: dict[str, Call] = {}
        #: How many of those others may have died of: they are counted as they ask to be begun.
        self._again = 0
        self._tasks: set[asyncio.Task[None]] = set()
        #: How many of those only wait for the word of a runner.
        self._aside = 0
        #: A call may come out of its queue after the word of its cancel.
        self._cancelled: OrderedDict[str, None] = OrderedDict()
        self._freed = asyncio.Event()
        self._is_leaving = False

    async def run(self, stopping: asyncio.Event) -> None:
        """Until it is told to stop; what is begun then is finished within the grace."""
        self._nats.subscribe("cancel.calls", self._hear_cancel)
        self._nats.subscribe("announce.ask-workers", lambda _: self._announce())
        duties = [asyncio.create_task(duty) for duty in (self._nats.run(), self._keep_announcing(), self._desk.keep_time(), self._beat())]
        taking = asyncio.create_task(self._take_calls())
        stop = asyncio.create_task(stopping.wait())
        done, _ = await asyncio.wait([stop, taking, *duties], return_when=asyncio.FIRST_COMPLETED)
        self._is_leaving = True
        self._announce()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=self._settings.grace_s)
        self._announce()
        await asyncio.sleep(0)  # So that the last words leave.
        for task in [taking, stop, *duties]:
            task.cancel()
        for task in done - {stop}:
            task.result()

    async def _take_calls(self) -> None:
        await self._nats.connected()
        await self._queue.prepare()
        self._announce()
        log.info("takes calls of %s", ", ".join(self._settings.pools))
        while not self._is_leaving:
            await self._nats.connected()
            room = self._settings.concurrency + self._aside - len(self._tasks)
            if room <= 0:
                self._freed.clear()
                await self._freed.wait()
                continue
            for message in await self._queue.next(room):
                self._begin(message)

    def _begin(self, message: Message) -> None:
        task = asyncio.create_task(self._leave_alone(message) if self._is_leaving else self._handle(message))
        self._tasks.add(task)
        task.add_done_callback(lambda done: (self._tasks.discard(done), self._freed.set()))

    async def _handle(self, message: Message) -> None:
        """The message is settled after its result is stored, or what that led to; never before."""
        try:
            call = read_call(message, self._payloads.decode(message))
        except FileNotFoundError:
            return self._settle(message, b'-NAK {"delay":1000000000}')
        except ValueError as wrong:
            return self._settle(message, refused(message, wrong))
        self._running[call.dispatch_id] = call
        try:
            if call.body["invocationId"] in self._cancelled:
                call.cancelled.set()
            if await self._run_call(call):
                self._settle(message, b"+ACK")
        except Exception as failure:
            log.exception("call %s is left to another delivery", call.dispatch_id, exc_info=failure)
            self._settle(message, b'-NAK {"delay":1000000000}')
        finally:
            del self._running[call.dispatch_id]

    async def _leave_alone(self, message: Message) -> None:
        """One that came after the worker was told to end is another's; a NAK would count as an attempt."""
        try:
            await self._desk.give_back(read_call(message, self._payloads.decode(message)), "unstarted")
            self._settle(message, b"+ACK")
        except Exception as failure:
            log.warning("a call is handed back as one that failed", exc_info=failure)
            self._settle(message, b'-NAK {"delay":0}')

    async def _run_call(self, call: Call) -> bool:
        """Whether the call is done with here: its result has arrived, or it is somebody else's."""
        if not call.comes_again or self._desk.remaining_s(call) <= 0:
            return await self._run_begun(call)
        beside, self._again = self._again, self._again + 1
        try:
            verdict, attempt = await self._desk.again(call, beside)
            if verdict in ("returned", "over"):
                return True
            call.begun_as = attempt
            if verdict == "run":
                return await self._run_begun(call)
            await self._publish_result(call, call.result(self._settings.name, spent(call), {}))
            return True
        finally:
            self._again -= 1

    async def _run_begun(self, call: Call) -> bool:
        tool = self._tools.get((call.body["appName"], call.row["tool"]))
        delta: dict[str, Any] = {}
        is_retried = False
        outcome = refusal(call, self._desk.remaining_s(call))
        if outcome is None and tool is None:
            if await self._desk.give_back(call, "unknown") != "unknown":
                return True
            outcome = error("tool.unknown", f"No worker of pool '{call.row['pool']}' knows the tool '{call.row['tool']}'.")
        if outcome is None and call.policy["sideEffect"] == "once":
            verdict = await self._desk.begin(call)
            if verdict in ("taken", "over"):
                return True
            if verdict == "lost":
                outcome = error("tool.outcome-unknown", f"'{call.row['tool']}' was begun by a worker before and no result came.")
        if outcome is None and call.cancelled.is_set():
            outcome = ended_by_cancel(call)
        if outcome is None:
            outcome, delta = await self._execute(call, tool)
            is_retried = tool.retry and call.policy["sideEffect"] != "once" and outcome.get("code") in RETRIED
        result = call.result(self._settings.name, outcome, delta)
        await self._publish_result(call, {**result, "retry": {}} if is_retried else result)
        return True

    async def _execute(self, call: Call, tool: Tool) -> tuple[dict[str, Any], dict[str, Any]]:
        progress = Progress(self._nats, call)
        context = self._context_of(call, progress)
        timeout_s = min(call.policy["timeoutMs"] / 1_000, self._desk.remaining_s(call))
        run = self._runs.start(tool, call.row["args"], context)
        watching = asyncio.create_task(self._until_ended(call, timeout_s))
        await asyncio.wait([run.result, watching], return_when=asyncio.FIRST_COMPLETED)
        progress.close()
        if not run.result.done():
            call.cancelled.set()
            if not await run.end() and "maxConcurrency" in call.policy:
                # Before the result: it keeps its place below that limit.
                self._runs.leave_behind(call, run)
                self._announce()
            return watching.result(), {}
        watching.cancel()
        failure = run.result.exception()
        if failure:
            return error("tool.threw", str(failure) or type(failure).__name__), context.state.delta
        return _storable(call.row["tool"], run.result.result(), context.state.delta)

    async def _until_ended(self, call: Call, timeout_s: float) -> dict[str, Any]:
        name = call.row["tool"]
        silence_s = call.policy.get("heartbeatTimeoutMs", float("inf")) / 1_000
        while True:
            if call.cancelled.is_set():
                return ended_by_cancel(call)
            if time.monotonic() - call.begun_at >= timeout_s:
                return error("tool.timeout", f"Tool '{name}' did not finish within {round(timeout_s * 1_000)} ms.")
            if time.monotonic() - call.heard_at >= silence_s:
                return error("tool.heartbeat", f"Tool '{name}' was silent for {round(silence_s * 1_000)} ms.")
            await asyncio.sleep(0.02)

    def _context_of(self, call: Call, progress: Progress) -> Context:
        body, loop = call.body, asyncio.get_running_loop()

        def beat() -> None:
            call.heard_at = time.monotonic()

        def report(value: Any) -> None:
            beat()
            json.dumps(value)  # What is no JSON fails in the tool.
            loop.call_soon_threadsafe(progress.offer, value)

        return Context(
            body["appName"], body["userId"], body["sessionId"], body["invocationId"], call.row["callId"],
            call.dispatch_id, call.attempt, State(body["state"]), call.cancelled, report, beat,
        )  # fmt: skip

    async def _publish_result(self, call: Call, result: dict[str, Any]) -> None:
        data, headers = self._payloads.encode(result)
        ticket = call.body["ticket"]
        # What only reads may have been sent before, for a unit that was refused.
        sending = f".{ticket['deadlineMs']}" if call.policy.get("readOnly") else ""
        headers["Nats-Msg-Id"] = f"r.{call.dispatch_id}.{ticket['attempt']}.{call.attempt}{sending}"
        runner = call.runner_for(result) if HEADER not in headers else None
        if runner and await self._is_taken_by(runner, data):
            return
        await self._until_stored(call, call.queue_subject, data, headers)

    async def _is_taken_by(self, runner: str, data: bytes) -> bool:
        """Whether the runner says that it has stored what the result led to. The tool is done: its place is free meanwhile."""
        self._aside += 1
        self._freed.set()
        try:
            reply = json.loads((await self._nats.request(runner, data, timeout_s=TAKEN_WITHIN_S)).data)
            return reply["ok"] is True and reply["value"]["disposition"] == "applied"
        except (PermissionError, ConnectionError, TimeoutError, ValueError, KeyError, TypeError):
            return False  # Also of an answer that is none: the queue is the way that is sure.
        finally:
            self._aside -= 1

    async def _until_stored(self, call: Call, subject: str, data: bytes, headers: dict[str, str]) -> None:
        answer = await until_answered(lambda: self._nats.request(subject, data, headers), lambda: self._desk.remaining_s(call) <= 0)
        stored = json.loads(answer.data)
        if "error" in stored:
            raise ConnectionError(f"{subject} was not stored: {stored['error']}")

    async def _beat(self) -> None:
        """Says of every call that it is still worked on, so that it is not given to another."""
        await self._queue.prepared.wait()
        while True:
            await asyncio.sleep(self._queue.ack_wait_s / 3)
            for call in list(self._running.values()):
                self._settle(call.message, b"+WPI")

    async def _keep_announcing(self) -> None:
        while True:
            self._announce()
            await asyncio.sleep(ANNOUNCE_S)

    def _announce(self) -> None:
        apps: dict[str, dict[str, Any]] = {}
        for app, name in self._tools:
            apps.setdefault(app, {"tools": [], "hasToolsets": False})["tools"].append(name)
        running = [call.row["pool"] for call in self._running.values()]
        said = {
            "worker": self._settings.name,
            "pools": [
                {"pool": pool, "concurrency": self._settings.concurrency, "running": running.count(pool)}
                for pool in self._settings.pools
            ],
            "apps": apps,
            "running": list(self._running),
            "isLeaving": self._is_leaving,
        }
        left_behind = self._runs.left_behind()
        if left_behind:
            said["leftBehind"] = left_behind
        self._nats.publish("announce.worker", json.dumps(said).encode())

    def _hear_cancel(self, message: Message) -> None:
        invocation = json.loads(message.data)["invocationId"]
        self._cancelled[invocation] = None
        while len(self._cancelled) > REMEMBERED_CANCELS:
            self._cancelled.popitem(last=False)
        for call in self._running.values():
            if call.body["invocationId"] == invocation:
                call.cancelled.set()

    def _settle(self, message: Message, verdict: bytes) -> None:
        self._nats.publish(message.reply, verdict)


def _storable(tool: str, value: Any, delta: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    try:
        json.dumps([value, delta], allow_nan=False)
    except (TypeError, ValueError, RecursionError) as wrong:
        return error("tool.unserialisable", f"What tool '{tool}' gave is no JSON: {wrong}"), {}
    return {"kind": "result", "value": value}, delta
