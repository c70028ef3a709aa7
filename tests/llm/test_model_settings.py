"""A model from the settings, and keys that no door shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from doors import fabula, serving
from endpoints import KEY, Connected, completion
from fabula.config import Config, load
from fabula.errors import InvalidInput
from fabula.llm.chat import ChatRequest
from fabula.memory import Memory
from fabula.model.context import ChatMessage

HELLO = ChatRequest(messages=(ChatMessage(role="user", content="在吗？"),))


def settings(tmp_path: Path, **given: str) -> Config:
    return load({"FABULA_DB": str(tmp_path / "fabula.db"), **given}, tmp_path / "none.toml")


@pytest.mark.long
def test_a_memory_talks_to_the_model_of_the_settings(house: Connected, tmp_path: Path) -> None:
    house.played.plays(completion("在。"))
    config = settings(
        tmp_path,
        FABULA_LLM_BASE_URL=house.played.url,
        FABULA_LLM_API_KEY=f" {KEY}\n",
        FABULA_LLM_MODEL="played",
        FABULA_MODEL_CALLS_PER_MINUTE="0",
    )
    with Memory.configured(config) as memory:
        model = memory.call().model()
        assert model.name == "played"
        for _ in range(100):
            assert model.complete(HELLO).text == "在。"
    assert house.played.asked[0].headers["authorization"] == f"Bearer {KEY}"


def test_without_an_address_there_is_no_model(tmp_path: Path) -> None:
    with Memory.configured(settings(tmp_path, FABULA_LLM_API_KEY=KEY)) as memory:
        assert memory.call().chat is None


@pytest.mark.parametrize(
    ("given", "address", "key"),
    [
        ({}, "http://a/v1", "ka"),
        ({"FABULA_EMBEDDING_BASE_URL": "http://a/v1"}, "http://a/v1", "ka"),
        ({"FABULA_EMBEDDING_BASE_URL": "http://b/v1"}, "http://b/v1", ""),
        ({"FABULA_EMBEDDING_BASE_URL": "http://b/v1", "FABULA_EMBEDDING_API_KEY": "kb"}, "http://b/v1", "kb"),
        ({"FABULA_EMBEDDING_API_KEY": "kb"}, "http://a/v1", "kb"),
    ],
)
def test_embeddings_come_from_the_models_address_and_no_key_goes_elsewhere(
    tmp_path: Path, given: dict[str, str], address: str, key: str
) -> None:
    config = settings(tmp_path, FABULA_LLM_BASE_URL="http://a/v1", FABULA_LLM_API_KEY="ka", **given)
    assert config.embedding_base_url == address
    assert config.embedding_api_key.get_secret_value() == key


@pytest.mark.parametrize(
    "given",
    [
        {"FABULA_LLM_BASE_URL": "127.0.0.1:11434/v1"},
        {"FABULA_LLM_BASE_URL": "ftp://models/v1"},
        {"FABULA_LLM_BASE_URL": "http://"},
        {"FABULA_LLM_BASE_URL": "http://[::1/v1"},
        {"FABULA_LLM_BASE_URL": "http://models:99999/v1"},
        {"FABULA_LLM_BASE_URL": "http://mod els/v1"},
        {"FABULA_LLM_BASE_URL": f"http://me:{KEY}@models/v1"},
        {"FABULA_EMBEDDING_BASE_URL": f"http://models/v1?key={KEY}"},
        {"FABULA_LLM_API_KEY": f"{KEY}\nx"},
        {"FABULA_LLM_API_KEY": f"{KEY}…"},
        {"FABULA_LLM_TIMEOUT_S": "0"},
    ],
)
def test_a_setting_that_cannot_be_is_named_without_its_secret(tmp_path: Path, given: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput) as refused:
        settings(tmp_path, **given)
    (name,) = given
    assert name in refused.value.message
    assert KEY not in str(refused.value.as_dict())


def test_the_settings_do_not_print_their_keys(tmp_path: Path) -> None:
    config = settings(tmp_path, FABULA_LLM_API_KEY=KEY, FABULA_EMBEDDING_API_KEY=KEY[::-1])
    assert KEY not in repr(config)
    assert KEY[::-1] not in repr(config)


@pytest.mark.slow
def test_no_door_shows_a_key(tmp_path: Path) -> None:
    keys = {
        "FABULA_LLM_BASE_URL": "http://127.0.0.1:9/v1",
        "FABULA_LLM_API_KEY": KEY,
        "FABULA_EMBEDDING_API_KEY": KEY[::-1],
    }
    doctor = fabula("doctor", "--db", "novel.db", cwd=tmp_path, **keys)
    assert doctor.returncode == 0, doctor.stderr
    assert "http://127.0.0.1:9/v1" in doctor.stdout
    with serving(tmp_path, **keys, FABULA_LOG_LEVEL="debug") as server:
        shown = [server.client.get(f"/api/v2/{page}").text for page in ("settings", "health", "openapi.json")]
    everything = "".join([doctor.stdout, doctor.stderr, *shown, *server.lines])
    assert KEY not in everything
    assert KEY[::-1] not in everything
