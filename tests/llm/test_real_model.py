"""The same client against a real language model, a small one that talks nonsense fluently."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from pydantic import SecretStr

import small_model
from fabula.errors import LlmUnavailable
from fabula.llm.chat import ChatRequest
from fabula.llm.endpoint import Endpoint, Patience
from fabula.llm.openai_compatible import OpenAiCompatibleChatModel
from fabula.model.context import ChatMessage

pytestmark = pytest.mark.slow

SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 12}, "type": {"enum": ["character", "location"]}},
    "required": ["name", "type"],
    "additionalProperties": False,
}


@dataclass
class RealModel:
    """A running model and a client for it."""

    process: subprocess.Popen[str]
    address: str
    chat: OpenAiCompatibleChatModel


def client(address: str, *, silence_s: float) -> OpenAiCompatibleChatModel:
    """A client that asks once: a server that was killed stays dead."""
    patience = Patience(silence_s=silence_s, retries=0)
    return OpenAiCompatibleChatModel(Endpoint(f"{address}/v1", SecretStr("unused"), patience=patience))


@contextmanager
def running(folder: Path) -> Iterator[RealModel]:
    with (
        small_model.served(folder) as (process, address),
        closing(client(address, silence_s=60.0)) as chat,
    ):
        yield RealModel(process, address, chat)


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealModel]:
    with running(tmp_path_factory.mktemp("model")) as model:
        yield model


def asking(text: str, max_tokens: int = 24, **fields: object) -> ChatRequest:
    return ChatRequest.model_validate(
        {
            "messages": (ChatMessage(role="user", content=text),),
            "temperature": 0.0,
            "max_tokens": max_tokens,
            **fields,
        }
    )


# The model would end of itself after a few words; this it must go on with.
LONG = asking(
    "Count the waves.",
    1900,
    json_schema={
        "type": "object",
        "properties": {"waves": {"type": "array", "items": {"enum": ["a wave"]}, "minItems": 600}},
        "required": ["waves"],
        "additionalProperties": False,
    },
)


def test_the_models_are_listed_and_the_only_one_answers(real: RealModel) -> None:
    assert real.chat.models() == ("smollm2",)
    answer = real.chat.complete(asking("Where does the lighthouse keeper live?"))
    assert real.chat.name == "smollm2"
    assert answer.text.strip()
    assert answer.finish_reason in ("length", "stop")
    assert answer.completion_tokens
    assert answer.completion_tokens <= 24
    assert answer.prompt_tokens
    assert answer.model == "smollm2"


def test_a_stream_comes_in_pieces(real: RealModel) -> None:
    pieces = list(real.chat.stream(asking("Tell me about the harbour of mist.")))
    assert len(pieces) > 5
    assert all(pieces)


def test_json_obeys_the_schema(real: RealModel) -> None:
    request = asking("Elara walked to Dunmore. Name one of them.", 80, json_schema=SCHEMA)
    for text in (real.chat.complete(request).text, "".join(real.chat.stream(request))):
        said = json.loads(text)
        assert said.keys() == {"name", "type"}
        assert said["type"] in ("character", "location")


def test_a_closed_stream_frees_the_model(real: RealModel) -> None:
    """The server has one place, and the first answer would take it for half a minute."""
    pieces = real.chat.stream(LONG)
    next(pieces)
    with closing(client(real.address, silence_s=2.0)) as hasty:
        with pytest.raises(LlmUnavailable) as waited:
            hasty.complete(asking("Hello.", 4))
        assert waited.value.details == {"reason": "silent"}
    pieces.close()
    with closing(client(real.address, silence_s=15.0)) as other:
        assert other.complete(asking("Hello.", 4)).completion_tokens


def test_a_model_that_is_killed_breaks_off(tmp_path: Path) -> None:
    with running(tmp_path) as mortal:
        pieces = mortal.chat.stream(LONG)
        next(pieces)
        mortal.process.kill()
        with pytest.raises(LlmUnavailable) as broken:
            list(pieces)
        assert broken.value.details == {"reason": "broken_off"}
        with pytest.raises(LlmUnavailable) as gone:
            mortal.chat.complete(asking("Hello."))
        assert gone.value.details == {"reason": "unreachable"}
