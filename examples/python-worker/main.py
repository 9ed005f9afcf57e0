"""`python3 main.py`: the example's worker; its settings come from the environment."""

import asyncio
import logging
import os
import signal
import socket
from pathlib import Path

from skein_worker import Context, Settings, Worker, tool


@tool(app="python-tools")
def word_count(args, context: Context):
    """Not async: it runs in a thread."""
    return {"words": len(str(args["text"]).split())}


@tool(app="python-tools")
async def count_slowly(args, context: Context):
    logging.info("counts to %s", args["to"])
    for n in range(1, int(args["to"]) + 1):
        context.progress({"counted": n})
        await asyncio.sleep(0.2)
    context.state["counted"] = int(args["to"])
    return {"counted": int(args["to"])}


async def main() -> None:
    settings = Settings(
        name=os.environ.get("SKEIN_PROCESS_NAME", f"python-worker-{socket.gethostname()}-{os.getpid()}"),
        nats_url=os.environ["NATS_URL"],
        pools=os.environ.get("TOOL_POOLS", "python").split(","),
        concurrency=int(os.environ.get("TOOL_CONCURRENCY", "16")),
        ack_wait_s=int(os.environ.get("ACK_WAIT_MS", "30000")) / 1_000,
        payloads=Path(os.environ.get("DATA_DIR", ".skein")) / "payloads",
    )
    stopping = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, stopping.set)
    await Worker(settings, [word_count, count_slowly]).run(stopping)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    asyncio.run(main())
