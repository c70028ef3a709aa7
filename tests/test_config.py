"""Settings that are given, left empty, or wrong."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from fabula.backends import language_models
from fabula.config import Config, load
from fabula.errors import InvalidInput
from fabula.llm.setup import ModelSetup


def settings(tmp_path: Path, **given: str) -> Config:
    return load({"FABULA_DB": str(tmp_path / "fabula.db"), **given}, tmp_path / "none.toml")


def test_an_empty_setting_is_the_default(tmp_path: Path) -> None:
    assert settings(tmp_path, FABULA_PORT="", FABULA_LOG_LEVEL="").port == settings(tmp_path).port


def test_an_empty_import_folder_is_none_at_all(tmp_path: Path) -> None:
    assert settings(tmp_path).import_dir is not None
    assert settings(tmp_path, FABULA_IMPORT_DIR="").import_dir is None


def test_an_empty_neo4j_user_means_none(tmp_path: Path) -> None:
    neo4j = settings(tmp_path, FABULA_GRAPH="neo4j", FABULA_NEO4J_USER="").neo4j
    assert neo4j is not None
    assert neo4j.user == ""


@pytest.mark.parametrize("given", ["-1", "many", "1.5"])
def test_memory_for_stories_is_a_whole_number(tmp_path: Path, given: str) -> None:
    with pytest.raises(InvalidInput, match="FABULA_STORY_MEMORY_MB must be a whole number"):
        settings(tmp_path, FABULA_STORY_MEMORY_MB=given)
    assert settings(tmp_path, FABULA_STORY_MEMORY_MB="50").story_memory_mb == 50


def test_the_model_set_up_in_the_page_is_kept_beside_the_database_unless_a_file_is_named(
    tmp_path: Path,
) -> None:
    other = tmp_path / "elsewhere.json"
    for config, file in (
        (settings(tmp_path), tmp_path / "fabula.model.json"),
        (settings(tmp_path, FABULA_MODEL_FILE=str(other)), other),
    ):
        with closing(language_models(config)) as models:
            models.change(ModelSetup(address="http://127.0.0.1:9/v1"))
            assert file.is_file()
            assert models.current().address == "http://127.0.0.1:9/v1"
