"""Loads the tagger's weights from the package that publishes them, if installed."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from io import BytesIO
from zipfile import ZipFile

import numpy as np

from fabula.extraction.tagger import Direction, Floats32, NumpyTagger, Tagger, Weights

# The package itself needs a deep-learning framework to run its network; only its files are used here, as
# plain arrays, and only if their digest is the known one, whose layout is described below.
_PACKAGE = "cutword"
_NUMBERS = "cutword/model_params.pth"
_NAMES = "cutword/ner_vocab_tags.json"
_DIGEST = "5593005efb342f126fa995abba904ed0291a8e4211cb91ff051f06420b465a20"

_TYPES = {"PERSON": "character", "LOC": "location", "ORG": "faction"}
_STATE = 64
_EMBEDDED = 256


@cache
def installed_tagger() -> Tagger | None:
    """The tagger; None if its weights are not installed or have an unknown digest."""
    try:
        package = distribution(_PACKAGE)
        numbers, names = _content(package, _NUMBERS), _content(package, _NAMES)
    except (PackageNotFoundError, OSError):
        return None
    if sha256(numbers + names).hexdigest() != _DIGEST:
        return None
    return NumpyTagger(_weights(numbers, names), _TYPES)


def _content(package: Distribution, name: str) -> bytes:
    with open(str(package.locate_file(name)), "rb") as file:
        return file.read()


def _weights(numbers: bytes, names: bytes) -> Weights:
    known = json.loads(names)
    with ZipFile(BytesIO(numbers)) as archive:
        stored = [np.frombuffer(archive.read(f"model_params/data/{part}"), "<f4") for part in range(7)]
    embedding, recurrent, output, output_bias, first, last, transitions = stored
    tags = tuple(known["id2label"][str(place)] for place in range(len(output_bias)))
    first_layer, second_layer = _layers(recurrent)
    return Weights(
        characters=known["char2id"],
        tags=tags,
        embedding=embedding.reshape(-1, _EMBEDDED),
        layers=(first_layer, second_layer),
        output=output.reshape(len(tags), 2 * _STATE),
        output_bias=output_bias,
        first=first,
        last=last,
        transitions=transitions.reshape(len(tags), len(tags)),
    )


def _layers(
    recurrent: Floats32,
) -> tuple[tuple[Direction, Direction], tuple[Direction, Direction]]:
    """The four directions in one array: all matrices first, then all pairs of biases."""
    gates = 4 * _STATE
    place = 0
    matrices: list[Floats32] = []
    for width in (_EMBEDDED, _STATE, _EMBEDDED, _STATE, 2 * _STATE, _STATE, 2 * _STATE, _STATE):
        matrices.append(recurrent[place : place + gates * width].reshape(gates, width))
        place += gates * width
    pairs = recurrent[place:].reshape(4, 2, gates).sum(axis=1)
    ways = [Direction(matrices[2 * way], matrices[2 * way + 1], pairs[way]) for way in range(4)]
    return (ways[0], ways[1]), (ways[2], ways[3])
