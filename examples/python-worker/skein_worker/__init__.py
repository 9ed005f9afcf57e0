"""A tool worker of Skein in Python: docs/reference/tool-protocol.md, with the standard library alone."""

from .tools import Context, Tool, tool
from .worker import Settings, Worker

__all__ = ["Context", "Settings", "Tool", "Worker", "tool"]
