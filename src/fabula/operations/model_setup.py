"""Setting up the language model: its address, key and models, with a list of what is there and a test."""

from __future__ import annotations

from contextlib import closing
from typing import Annotated

from pydantic import AfterValidator, Field, SecretStr, StringConstraints

from fabula.call import Call
from fabula.config import is_model_address
from fabula.errors import Forbidden, InvalidInput
from fabula.llm.chat import ChatModel, ChatRequest
from fabula.llm.setup import Fixed, ModelSetup, TaskModels
from fabula.llm.upstream import Upstream
from fabula.model.context import ChatMessage
from fabula.model.wire import Value, visible_text
from fabula.operations.table import NoFields, operation

MOST_MODELS = 1_000
SHOWN = 200
_TRIAL = ChatMessage(role="user", content="Say hello in one short sentence.")
_TRIAL_TOKENS = 60

ModelName = Annotated[str, StringConstraints(max_length=200, strip_whitespace=True)]


def _sendable(key: SecretStr) -> SecretStr:
    value = key.get_secret_value()
    if not (value.isascii() and value.isprintable()):
        raise ValueError("contains characters that are not allowed in a key")
    return key


def _address(value: str) -> str:
    address = visible_text(value.strip()).rstrip("/") if value.strip() else ""
    if address and not is_model_address(address):
        raise ValueError("must be an address that begins with http:// or https:// and holds no key")
    return address


ModelAddress = Annotated[str, Field(max_length=2_000), AfterValidator(_address)]
ModelKey = Annotated[SecretStr, Field(max_length=4_000), AfterValidator(_sendable)]


class ModelNames(Value):
    """The names of the models by task; an empty one is the model that writes, or the endpoint's only one."""

    write: ModelName = ""
    read: ModelName = ""
    sum_up: ModelName = ""


class ModelSetupResponse(Value):
    """The set-up in force. The key is never told, only whether there is one.

    `fixed` is what the settings of the server decide. Who may not change it is told no address.
    """

    configured: bool
    may_change: bool
    fixed: tuple[Fixed, ...]
    address: str | None
    has_key: bool
    models: ModelNames


class SaveModelRequest(Value):
    """Another set-up. Without `key` the key stays as it is, unless the address changes, which drops it."""

    address: ModelAddress
    key: ModelKey | None = None
    models: ModelNames = ModelNames()


class TryModelRequest(Value):
    """A set-up to try before it is saved; what is missing is taken from the one in force.

    The key in force is sent to its own address only.
    """

    address: ModelAddress | None = None
    key: ModelKey | None = None
    model: ModelName | None = None


class ModelListResponse(Value):
    """The names of the models at the address."""

    models: tuple[str, ...]


class ModelTrialResponse(Value):
    """The first words of an answer, how long it took, and how many characters came per second."""

    model: str
    text: str
    seconds: float
    first_word_seconds: float
    characters_per_second: float


@operation("model.setup.read", role=None)
def read_model_setup(call: Call, _: NoFields) -> ModelSetupResponse:
    """Show how the language model is set up, without its key."""
    return _shown(call)


@operation("model.setup.save", role=None)
def save_model_setup(call: Call, request: SaveModelRequest) -> ModelSetupResponse:
    """Set up the language model for the whole server."""
    _require_administrator(call)
    kept, fixed = call.models.current(), tuple(call.models.fixed)
    _refuse_fixed(fixed, kept, request)
    address = kept.address if "address" in fixed else request.address
    if address and "address" not in fixed:
        call.models.check_address(address)
    key = request.key
    if key is None:
        key = kept.key if address == kept.address else SecretStr("")
    if "key" in fixed:
        # A key of the settings stays where it is, and an address of theirs is not copied either.
        address, key = "", SecretStr("")
    call.models.change(ModelSetup(address=address, key=key, models=TaskModels(**dict(request.models))))
    return _shown(call)


@operation("model.list", role=None)
def list_models(call: Call, request: TryModelRequest) -> ModelListResponse:
    """List the models at an address; LlmUnavailable if it does not answer."""
    with closing(_on_trial(call, request)) as model:
        if not isinstance(model, Upstream):
            return ModelListResponse(models=(model.name,))
        listed = (str(one.get("id", "")) for one in model.listed(is_hasty=True)[:MOST_MODELS])
        return ModelListResponse(models=tuple(sorted({name for name in listed if name}, key=str.casefold)))


@operation("model.try", role=None)
def try_model(call: Call, request: TryModelRequest) -> ModelTrialResponse:
    """Ask a model for one sentence, and report its first words and its speed."""
    asked = ChatRequest(messages=(_TRIAL,), max_tokens=_TRIAL_TOKENS)
    with closing(_on_trial(call, request)) as model:
        begun = call.clock.monotonic()
        pieces = model.stream(asked)
        with closing(pieces):
            first = call.clock.monotonic() - begun
            text = "".join(pieces)
        seconds = call.clock.monotonic() - begun
        return ModelTrialResponse(
            model=model.name,
            text=text.strip()[:SHOWN],
            seconds=round(seconds, 3),
            first_word_seconds=round(first, 3),
            characters_per_second=round(len(text) / max(seconds, 0.001), 1),
        )


def _on_trial(call: Call, request: TryModelRequest) -> ChatModel:
    """Open the model that a request asks about, for an administrator."""
    _require_administrator(call)
    kept = call.models.current()
    address = kept.address if request.address is None else request.address
    if not address:
        raise InvalidInput(
            "There is no address to ask.",
            details={"field": "address"},
            suggestion="Give the address of an OpenAI-compatible server, such as http://127.0.0.1:11434/v1.",
        )
    if address != kept.address:
        call.models.check_address(address)
    key = request.key
    if key is None:
        key = kept.key if address == kept.address else SecretStr("")
    name = kept.models.write if request.model is None and address == kept.address else request.model or ""
    return call.models.on_trial(ModelSetup(address=address, key=key, models=TaskModels(write=name)))


def _shown(call: Call) -> ModelSetupResponse:
    setup, may_change = call.models.current(), _may_change(call)
    return ModelSetupResponse(
        configured=bool(setup.address) or call.chat is not None,
        may_change=may_change,
        fixed=tuple(call.models.fixed),
        address=setup.address if may_change else None,
        has_key=may_change and bool(setup.key.get_secret_value()),
        models=ModelNames(**dict(setup.models)),
    )


def _may_change(call: Call) -> bool:
    return call.models.may_change(None if call.identity.is_local else call.identity.name)


def _require_administrator(call: Call) -> None:
    if not _may_change(call):
        raise Forbidden(
            "Only an administrator may set up the language model.",
            details={"reason": "not_administrator"},
            suggestion="The keeper of the server names administrators with FABULA_ADMINISTRATORS.",
        )


def _refuse_fixed(fixed: tuple[Fixed, ...], kept: ModelSetup, request: SaveModelRequest) -> None:
    """Refuse to change what the settings of the server decide."""
    wanted: dict[Fixed, bool] = {
        "address": request.address not in ("", kept.address),
        "key": request.key is not None,
        "model": request.models.write not in ("", kept.models.write),
    }
    for what in fixed:
        if wanted[what]:
            raise InvalidInput(
                f"The {what} is set by the settings of the server.",
                details={"field": what, "reason": "fixed"},
                suggestion="Change or unset the environment variable or the line in fabula.toml.",
            )
