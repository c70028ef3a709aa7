"""Create the language model and the embedder named in the settings."""

from __future__ import annotations

from pathlib import Path

from fabula.config import NO_EMBEDDING, Config
from fabula.errors import InvalidInput
from fabula.llm.chat import ChatModel
from fabula.llm.embedder import Embedder
from fabula.llm.local_embedder import LocalEmbedder

# Callers wait for the embedding of a query; without it, search falls back to words.
QUESTION_S = 2.0

# The HTTP client takes a tenth of a second to import, so it is loaded only if a model is configured.


def chat_model(config: Config) -> ChatModel | None:
    """Create the language model of the settings; None if they name no address."""
    if not config.llm_base_url:
        return None
    from fabula.llm.endpoint import Endpoint, Patience
    from fabula.llm.openai_compatible import OpenAiCompatibleChatModel

    endpoint = Endpoint(
        config.llm_base_url,
        config.llm_api_key,
        patience=Patience.of(config.llm_timeout_s),
        keeps_connections=False,
    )
    return OpenAiCompatibleChatModel(endpoint, config.llm_model, window=config.llm_window)


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
