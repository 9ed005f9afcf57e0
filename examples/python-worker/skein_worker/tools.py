"""What an author writes."""

import inspect
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Tool:
    name: str
    #: The app whose agents have it.
    app: str
    execute: Callable[..., Any]
    #: Whether what it raises, and a timeout, is worth another attempt; how many there are is in the call's policy.
    retry: bool = False


def tool(app: str, name: str | None = None, retry: bool = False) -> Callable[[Callable[..., Any]], Tool]:
    """Makes a tool of a function `(args, context)`, async or not. One that is not async runs in a thread."""
    return lambda function: Tool(name or function.__name__, app, function, retry)


@dataclass
class Context:
    """Of one call. What is set in `state` goes into the session with the result."""

    app_name: str
    user_id: str
    session_id: str
    invocation_id: str
    call_id: str
    #: The same on every attempt of the call, and on no other call.
    idempotency_key: str
    attempt: int
    state: "State"
    #: Set once nobody waits for the call any more.
    cancelled: threading.Event
    _report: Callable[[Any], None] = field(repr=False)
    _beat: Callable[[], None] = field(repr=False)

    def progress(self, value: Any) -> None:
        """Shows the client how far the call is."""
        self._report(value)

    def heartbeat(self) -> None:
        """Says that the tool is still at it, where it has a heartbeat timeout."""
        self._beat()


class State(dict[str, Any]):
    """The session's state as of the call; what is set is kept apart as its delta."""

    def __init__(self, values: dict[str, Any]) -> None:
        super().__init__(values)
        self.delta: dict[str, Any] = {}

    def __setitem__(self, key: str, value: Any) -> None:
        super().__setitem__(key, value)
        self.delta[key] = value


def is_async(tool: Tool) -> bool:
    return inspect.iscoroutinefunction(tool.execute)
