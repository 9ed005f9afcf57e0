"""Bodies that are larger than a message: files in a folder that all processes share, named in a header."""

import hashlib
import json
import os
import re
import uuid
from pathlib import Path
from typing import Any

from .nats import Message

HEADER = "Skein-Payload"
REFERENCE = re.compile(r"([0-9a-f-]{36});sha256=([0-9a-f]{64});size=(\d{1,15})")


class Payloads:
    def __init__(self, folder: Path, limit_bytes: int) -> None:
        self._folder = folder
        self._limit_bytes = limit_bytes

    def encode(self, body: Any) -> tuple[bytes, dict[str, str]]:
        data = json.dumps(body, separators=(",", ":"), allow_nan=False).encode()
        if len(data) <= self._limit_bytes:
            return data, {}
        key = str(uuid.uuid4())
        self._store(key, data)
        return b"", {HEADER: f"{key};sha256={hashlib.sha256(data).hexdigest()};size={len(data)}"}

    def decode(self, message: Message) -> Any:
        """Raises ValueError for a body that is not what was sent, FileNotFoundError for one that is not there."""
        reference = message.headers.get(HEADER)
        return json.loads(self._load(reference) if reference else message.data)

    def _load(self, reference: str) -> bytes:
        # The key comes out of a message: as a path it could name any file.
        form = REFERENCE.fullmatch(reference)
        if not form:
            raise ValueError("the payload reference is malformed")
        file = self._folder / form[1]
        # Before it is read whole: the size is what its sender says.
        if file.stat().st_size != int(form[3]):
            raise ValueError(f"payload {form[1]} is not of the size it was to have")
        data = file.read_bytes()
        if hashlib.sha256(data).hexdigest() != form[2]:
            raise ValueError(f"payload {form[1]} is not what was sent")
        return data

    def _store(self, key: str, data: bytes) -> None:
        """Under its own name only when it is whole."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        unfinished = self._folder / f"{key}.tmp"
        with open(unfinished, "xb", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        unfinished.rename(self._folder / key)
