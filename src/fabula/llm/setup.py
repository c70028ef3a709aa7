"""The language model as set up in the page: its address, its key, and which model does what."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, Protocol

from pydantic import SecretStr

from fabula.llm.chat import ChatModel
from fabula.model.wire import Value

ModelTask = Literal["write", "read", "sum_up"]
TASKS: tuple[ModelTask, ...] = ("write", "read", "sum_up")
# What the settings of the server may say, against which the page cannot.
Fixed = Literal["address", "key", "model"]


class TaskModels(Value):
    """The names of the models by task; without one, a task uses the model that writes."""

    write: str = ""
    read: str = ""
    sum_up: str = ""

    def name_for(self, task: ModelTask) -> str:
        """The model for a task; empty leaves it to the endpoint."""
        return str(getattr(self, task)) or self.write


class ModelSetup(Value):
    """An address, its key, and the models there."""

    address: str = ""
    key: SecretStr = SecretStr("")
    models: TaskModels = TaskModels()


class ModelDesk(Protocol):
    """Gives out the models that are set up, and takes another set-up."""

    @property
    def fixed(self) -> Iterable[Fixed]:
        """What the settings of the server decide."""

    def current(self) -> ModelSetup:
        """The set-up in force."""

    def may_change(self, user_name: str | None) -> bool:
        """Whether a user may change it; a local caller has no name."""

    def check_address(self, address: str) -> None:
        """Refuse an address that the page may not set; InvalidInput or Forbidden."""

    def change(self, setup: ModelSetup) -> None:
        """Keep another set-up; it is in force for every call from now on."""

    def on_trial(self, setup: ModelSetup) -> ChatModel:
        """The model of a set-up that is not kept; the caller closes it."""

    def chats(self) -> dict[ModelTask, ChatModel]:
        """The model of each task; empty if no address is set up."""

    def close(self) -> None:
        """Close every model that was opened."""
