"""The tools of the worker contract, in Python."""

import asyncio
import os
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "examples" / "python-worker"))

from skein_worker import Settings, Worker, tool  # noqa: E402

contract = {"app": "contract"}


@tool(**contract)
def echo(args, context):
    return args


@tool(**contract)
def fail(args, context):
    raise RuntimeError("the tool broke")


@tool(**contract, retry=True)
def flaky(args, context):
    raise RuntimeError("another time")


@tool(**contract)
async def bursting(args, context):
    for n in range(args["times"]):
        context.progress({"step": n})
    await asyncio.sleep(0.5)
    return {"reported": args["times"]}


@tool(**contract)
def pause(args, context):
    note("pause begins")
    time.sleep(args["ms"] / 1_000)
    return {"paused": args["ms"]}


@tool(**contract)
async def endless(args, context):
    note("endless begins")
    await asyncio.Event().wait()


@tool(**contract)
def deaf(args, context):
    time.sleep(args["ms"] / 1_000)


@tool(**contract)
async def beating(args, context):
    for _ in range(args["beats"]):
        context.heartbeat()
        await asyncio.sleep(0.1)
    return {"beats": args["beats"]}


@tool(**contract)
async def reporting(args, context):
    for n in range(args["times"]):
        context.progress({"step": n})
        await asyncio.sleep(0.1)
    return {"reported": args["times"]}


@tool(**contract)
def large(args, context):
    return "x" * args["bytes"]


@tool(**contract)
def measure(args, context):
    return {"length": len(args["text"])}


@tool(**contract)
def stateful(args, context):
    context.state["seen"] = context.state.get("mood")
    return {"key": context.idempotency_key, "attempt": context.attempt}


def note(what):
    print(what, flush=True)


async def main():
    stopping = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopping.set)
    settings = Settings(
        name=os.environ["SKEIN_PROCESS_NAME"],
        nats_url=os.environ["NATS_URL"],
        pools=os.environ["TOOL_POOLS"].split(","),
        ack_wait_s=int(os.environ["ACK_WAIT_MS"]) / 1_000,
        payloads=Path(os.environ["DATA_DIR"]) / "payloads",
    )
    tools = [echo, fail, flaky, bursting, pause, endless, deaf, beating, reporting, large, measure, stateful]
    await Worker(settings, tools).run(stopping)


asyncio.run(main())
