"""One call: what it says, and what is said of it."""

import json
import os
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .names import bucket_of, started_before, stream_sequence
from .nats import Message

MAX_MESSAGE_LENGTH = 4_096


@dataclass
class Call:
    message: Message
    body: dict[str, Any]
    begun_at: float = field(default_factory=time.monotonic)
    heard_at: float = field(default_factory=time.monotonic)
    cancelled: threading.Event = field(default_factory=threading.Event)
    #: Which of its starts this is, where session-svc counts them.
    begun_as: int | None = None

    @property
    def row(self) -> dict[str, Any]:
        return self.body["call"]

    @property
    def policy(self) -> dict[str, Any]:
        return self.row["policy"]

    @property
    def dispatch_id(self) -> str:
        return self.row["dispatchId"]

    @property
    def delivered_before(self) -> int:
        return started_before(self.message.reply, self.message.headers.get("Skein-Started", ""))

    @property
    def attempt(self) -> int:
        return self.begun_as or self.body["ticket"]["attempt"] + self.delivered_before

    @property
    def comes_again(self) -> bool:
        """Whether another worker may have died of it. Of one that may run once, that is known without."""
        is_back = self.body["ticket"]["attempt"] > 1 and self.body.get("returned", 0) > 0
        return self.policy["sideEffect"] != "once" and (self.delivered_before > 0 or is_back)

    @property
    def bucket(self) -> int:
        return bucket_of(self.dispatch_id)

    @property
    def queue_subject(self) -> str:
        """Where its result goes when no runner has taken it."""
        return f"result.{self.bucket}"

    def runner_for(self, result: dict[str, Any]) -> str | None:
        """
        Who is asked to take its result. What a failure comes to session-svc decides; and of a call that runs once the result must
        outlive this process and the runner's.
        """
        is_asked = result["outcome"]["kind"] == "result" and self.policy["sideEffect"] != "once"
        return self.body.get("answerTo") if is_asked else None

    def pass_(self) -> dict[str, Any]:
        """What every word about the call goes with."""
        return {"tool": self.row["tool"], "ticket": self.body["ticket"]}

    def begin_request(self) -> bytes:
        asked = {"message": stream_sequence(self.message.reply), "handler": str(uuid.uuid4())}
        return json.dumps({**self.pass_(), **asked, "invocationId": self.body["invocationId"]}).encode()

    def again_request(self, beside: int) -> bytes:
        counts = {"returned": self.body.get("returned", 0), "started": self.delivered_before, "beside": beside}
        asked = {"handler": str(uuid.uuid4()), "invocationId": self.body["invocationId"]}
        return json.dumps({**self.pass_(), **counts, **asked}).encode()

    def return_request(self, reason: str) -> bytes:
        said = {"reason": reason, "returned": self.body.get("returned", 0), "started": self.delivered_before}
        return json.dumps({**self.pass_(), **said, "invocationId": self.body["invocationId"]}).encode()

    def result(self, worker: str, outcome: dict[str, Any], state_delta: dict[str, Any]) -> dict[str, Any]:
        place = ("appName", "userId", "sessionId", "invocationId")
        duration_ms = round((time.monotonic() - self.begun_at) * 1_000)
        return {
            **{name: self.body[name] for name in place},
            **self.pass_(),
            "outcome": outcome,
            "actions": {
                "stateDelta": state_delta,
                "artifactDelta": {},
                "requestedAuthConfigs": {},
                "requestedToolConfirmations": {},
            },
            "execution": {"worker": worker, "pid": os.getpid(), "attempt": self.attempt, "durationMs": duration_ms},
        }


def error(code: str, message: str) -> dict[str, Any]:
    return {"kind": "error", "code": code, "message": message[:MAX_MESSAGE_LENGTH]}


def read_call(message: Message, body: Any) -> Call:
    """Raises ValueError for what is no call."""
    call = Call(message, body)
    try:
        _ = (call.row["tool"], call.dispatch_id, call.policy["maxAttempts"], body["ticket"]["attempt"], body["invocationId"])
    except (KeyError, TypeError) as missing:
        raise ValueError(f"the message is no call: {missing}") from missing
    return call


def refused(message: Message, why: Exception) -> bytes:
    """What is said of a message that is no call: by its id session-svc finds the call that it was of."""
    reason = f"{message.headers.get('Nats-Msg-Id', '-')} message.shape: {why}"
    return f"+TERM {' '.join(reason.split())[:200]}".encode()


def refusal(call: Call, remaining_s: float) -> dict[str, Any] | None:
    """Why a call is not run at all."""
    if remaining_s <= 0:
        return error("tool.deadline", f"The deadline of tool '{call.row['tool']}' had passed before a worker was free.")
    return None


def ended_by_cancel(call: Call) -> dict[str, Any]:
    return error("tool.cancelled", f"The run that called tool '{call.row['tool']}' was cancelled.")


def spent(call: Call) -> dict[str, Any]:
    """Of a call that was begun as often as it may be."""
    tool, most = call.row["tool"], call.policy["maxAttempts"]
    return error("tool.attempts-spent", f"Tool '{tool}' was given to workers {most} times and no result came.")


#: How a call's message is settled.
Settle = Callable[[bytes], None]
