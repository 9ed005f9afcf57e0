"""Runs of tools. One in a thread, or one that goes on when it is told to end, is not over with its call."""

import asyncio
import contextvars
import itertools
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from .call import Call
from .tools import Context, Tool, is_async

#: For what listens to its end.
END_S = 0.05
#: With this many the longest announcement stays below what goes through NATS in one message.
MAX_NAMED_TOOLS = 128


class Run:
    """A tool's function under way: on the loop, or in a thread where it is not async."""

    def __init__(self, tool: Tool, args: Any, context: Context, threads: ThreadPoolExecutor) -> None:
        self._thread: Future[Any] | None = None
        if is_async(tool):
            self.result: asyncio.Future[Any] = asyncio.ensure_future(tool.execute(args, context))
        else:
            self._thread = threads.submit(contextvars.copy_context().run, tool.execute, args, context)
            self.result = asyncio.wrap_future(self._thread)
        # Whatever comes of it later is nobody's.
        self.result.add_done_callback(lambda done: done.cancelled() or done.exception())

    async def end(self) -> bool:
        """Tells it to end; whether it did."""
        self.result.cancel()
        await asyncio.wait([self.result], timeout=END_S)
        return self._thread.done() if self._thread else self.result.done()

    def when_over(self, heard: Callable[[], None]) -> None:
        loop = asyncio.get_running_loop()
        if self._thread:
            self._thread.add_done_callback(lambda _: loop.call_soon_threadsafe(heard))
        else:
            self.result.add_done_callback(lambda _: heard())


class Runs:
    def __init__(self, concurrency: int) -> None:
        self._threads = ThreadPoolExecutor(concurrency, thread_name_prefix="tool")
        self._left: Counter[tuple[str, str, str]] = Counter()

    def start(self, tool: Tool, args: Any, context: Context) -> Run:
        return Run(tool, args, context, self._threads)

    def leave_behind(self, call: Call, run: Run) -> None:
        """Its call is over here: it is counted until it is over itself."""
        key = (call.body["appName"], call.row["tool"], call.row["pool"])
        self._left[key] += 1
        run.when_over(lambda: self._left.subtract([key]))

    def left_behind(self) -> list[dict[str, Any]]:
        """How many of each tool go on, as they are announced."""
        going_on = (
            {"appName": app, "tool": tool, "pool": pool, "calls": calls}
            for (app, tool, pool), calls in self._left.items()
            if calls > 0
        )
        return list(itertools.islice(going_on, MAX_NAMED_TOOLS))
