"""SillyTavern's World Info as an engine: compiled books and a chat in, activated entries and places out."""

from __future__ import annotations

from fabula.model.scan_settings import BookSource, ScanSettings
from fabula.world_info.book import CompiledBook, compile_book
from fabula.world_info.entry import CompiledEntry
from fabula.world_info.question import Injection, Scan, ScanData, ScanMessage, ScannedCharacter
from fabula.world_info.result import Activation, DepthBlock, KeyHit, LeftOut, ScanPass, ScanResult
from fabula.world_info.scan import scan
from fabula.world_info.timed import TimedEffect, TimedEffects

__all__ = [
    "Activation",
    "BookSource",
    "CompiledBook",
    "CompiledEntry",
    "DepthBlock",
    "Injection",
    "KeyHit",
    "LeftOut",
    "Scan",
    "ScanData",
    "ScanMessage",
    "ScanPass",
    "ScanResult",
    "ScanSettings",
    "ScannedCharacter",
    "TimedEffect",
    "TimedEffects",
    "compile_book",
    "scan",
]
