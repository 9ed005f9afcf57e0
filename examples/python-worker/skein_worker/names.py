"""Subjects and names of the tool protocol."""

import base64
import re


def subject_token(text: str) -> str:
    """Any text as one token of a subject."""
    if re.fullmatch(r"[a-zA-Z0-9-]+", text):
        return text
    return "_" + base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def durable(pool: str) -> str:
    """The consumer that the workers of a pool share."""
    return f"tools_{subject_token(pool)}"


def bucket_of(key: str, buckets: int = 16) -> int:
    """FNV-1a over the key, which is plain ASCII."""
    value = 0x811C9DC5
    for character in key:
        value = ((value ^ ord(character)) * 0x01000193) & 0xFFFFFFFF
    return value % buckets


def started_before(ack_subject: str, header: str) -> int:
    """How often the call may have been begun by others: by earlier deliveries, and of messages this one is a copy of."""
    tokens = ack_subject.split(".")
    deliveries = int(tokens[6 if len(tokens) >= 11 else 4])
    return int(header or 0) + deliveries - 1


def stream_sequence(ack_subject: str) -> str:
    tokens = ack_subject.split(".")
    return tokens[7 if len(tokens) >= 11 else 5]
