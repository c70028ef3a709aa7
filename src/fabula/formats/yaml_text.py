"""Writes readable YAML that every YAML reader understands the same way."""

from __future__ import annotations

from typing import Any

import yaml

from fabula.formats.plain_scalars import needs_quotes

_Quick: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_WIDTH = 90


class _Row(dict[str, Any]):
    """A mapping that is written on one line."""


class _Run(list[Any]):
    """A list that is written on one line."""


def write_yaml(data: Any) -> str:
    """The data as YAML: one item per block, small values on one line, texts quoted where necessary."""
    laid_out = _laid_out(data, 0)
    text = _dumped(laid_out, _Dumper)
    # The fast dumper writes rare Han characters and emoji as escapes. The slow one loses U+0085 and the like;
    # then the escapes stay.
    is_wide = "\\U" in text and not any(escape in text for escape in ("\\N", "\\L", "\\P"))
    return _dumped(laid_out, _WideDumper) if is_wide else text


def _dumped(data: Any, dumper: Any) -> str:
    text: str = yaml.dump(data, Dumper=dumper, allow_unicode=True, sort_keys=False, width=10_000)
    return text.removesuffix("...\n")


def _laid_out(value: Any, depth: int) -> Any:
    if isinstance(value, dict):
        if depth > 1 and _is_small(value.values()) and sum(map(len, value)) < _WIDTH:
            return _Row(value)
        return {key: _laid_out(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        if depth > 1 and _is_small(value):
            return _Run(value)
        return [_laid_out(item, depth + 1) for item in value]
    return value


def _is_small(values: Any) -> bool:
    room = _WIDTH
    for value in values:
        if isinstance(value, dict | list | tuple) or (isinstance(value, str) and "\n" in value):
            return False
        room -= len(str(value)) + 2
        if room < 0:
            return False
    return True


def _text(dumper: Any, text: str) -> Any:
    if "\n" in text and not text.startswith(("\n", " ")):
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|")
    style = '"' if needs_quotes(text) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


class _Dumper(_Quick):  # type: ignore[misc]
    """The fast dumper, which writes repeated values in full instead of YAML aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


class _WideDumper(yaml.SafeDumper):
    """The slow dumper, likewise."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


for _dumper in (_Dumper, _WideDumper):
    _dumper.add_representer(str, _text)
    _dumper.add_representer(
        _Row, lambda dumper, row: dumper.represent_mapping("tag:yaml.org,2002:map", row, flow_style=True)
    )
    _dumper.add_representer(
        _Run, lambda dumper, run: dumper.represent_sequence("tag:yaml.org,2002:seq", run, flow_style=True)
    )
