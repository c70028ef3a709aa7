"""Create the language model and the embedder named in the settings."""

from __future__ import annotations

from pathlib import Path

from pydantic import SecretStr

from fabula.config import MODEL_FILE, NO_EMBEDDING, Config
from fabula.errors import InvalidInput
from fabula.llm.chat import ChatModel
from fabula.llm.embedder import Embedder
from fabula.llm.kept_models import KeptModels
from fabula.llm.local_embedder import LocalEmbedder
from fabula.llm.setup import ModelSetup, TaskModels
from fabula.store.place import DatabasePlace, at_home

# Callers wait for the embedding of a query; without it, search falls back to words.
QUESTION_S = 2.0

# The HTTP client takes a tenth of a second to import, so it is loaded only if a model is configured.


def language_models(config: Config) -> KeptModels:
    """Create the language models of the settings, or else those set up in the page."""

    def opened(address: str, key: SecretStr, name: str) -> ChatModel:
        from fabula.llm.endpoint import Endpoint, Patience
        from fabula.llm.openai_compatible import OpenAiCompatibleChatModel

        patience = Patience.of(config.llm_timeout_s)
        endpoint = Endpoint(address, key, patience=patience, keeps_connections=False)
        return OpenAiCompatibleChatModel(endpoint, name, window=config.llm_window)

    return KeptModels(
        config.model_file or _beside(config.db),
        ModelSetup(
            address=config.llm_base_url,
            key=config.llm_api_key,
            models=TaskModels(write=config.llm_model),
        ),
        opened,
        administrators=config.administrators if config.auth_required else None,
        allows_private=config.private_models or not config.auth_required,
    )


def _beside(place: DatabasePlace) -> Path:
    """The file for a database: beside it, or in the home of the user if it is on a server."""
    return place.with_suffix(".model.json") if isinstance(place, Path) else at_home(Path(MODEL_FILE))


def embedder(config: Config) -> Embedder | None:
    """Create the embedder: the built-in one, a model in a folder, an endpoint, or none."""
    name = config.embedding_model
    if name == NO_EMBEDDING:
        return None
    if not name:
        return LocalEmbedder()
    folder = Path(name).expanduser()
    if folder.is_dir():
        from fabula.llm.onnx_folder import OnnxEmbedder

        return OnnxEmbedder(folder)
    if not config.embedding_base_url:
        raise InvalidInput(
            f"FABULA_EMBEDDING_MODEL is '{name}': no such folder, and no address that could know it.",
            details={"setting": "embedding_model"},
            suggestion="Set FABULA_EMBEDDING_BASE_URL, or unset FABULA_EMBEDDING_MODEL for the built-in one.",
        )
    from fabula.llm.endpoint import Endpoint, Patience
    from fabula.llm.openai_embeddings import OpenAiEmbedder

    def endpoint(patience: Patience) -> Endpoint:
        return Endpoint(config.embedding_base_url, config.embedding_api_key, patience=patience)

    patient = endpoint(Patience.of(config.llm_timeout_s))
    return OpenAiEmbedder(patient, name, for_questions=endpoint(Patience.hasty(QUESTION_S)))
