"""The language model that was set up in the page, kept in a file beside the database.

The file is outside the database, so that no export, backup or copy of it holds the key.
"""

from __future__ import annotations

import ipaddress
import os
import socket
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import orjson
from pydantic import SecretStr, ValidationError

from fabula.errors import Forbidden, InternalError
from fabula.llm.chat import ChatModel
from fabula.llm.setup import TASKS, Fixed, ModelSetup, ModelTask, TaskModels

# Makes a model: address, key, name.
OpenModel = Callable[[str, SecretStr, str], ChatModel]

_Stamp = tuple[int, int, int]


class KeptModels:
    """The models of the server's settings or else of the file; threads and processes may share the file.

    Whatever the settings of the server say wins. A key goes only to the address that it was given for.
    """

    def __init__(
        self,
        file: Path,
        settings: ModelSetup,
        opens: OpenModel,
        *,
        administrators: tuple[str, ...] | None = None,
        allows_private: bool = True,
    ) -> None:
        self._file = file
        self._settings = settings
        self._opens = opens
        self._administrators = administrators
        self._allows_private = allows_private
        self._lock = threading.Lock()
        self._read: tuple[_Stamp | None, ModelSetup] = (None, ModelSetup())
        self._open: dict[tuple[str, str, str], ChatModel] = {}

    @property
    def fixed(self) -> tuple[Fixed, ...]:
        """What the settings of the server decide; with an address of theirs, its key is theirs, too."""
        decided: list[Fixed] = ["address", "key"] if self._settings.address else []
        return (*decided, "model") if self._settings.models.write else tuple(decided)

    def current(self) -> ModelSetup:
        """Return the set-up in force."""
        kept = self._kept()
        given = self._settings
        source = given if given.address else kept
        models = given.models if given.models.write else kept.models
        return ModelSetup(address=source.address, key=source.key, models=models)

    def may_change(self, user_name: str | None) -> bool:
        """Whether a user may change it; without accounts, and on this machine itself, anyone may."""
        if user_name is None or self._administrators is None:
            return True
        return user_name in self._administrators

    def check_address(self, address: str) -> None:
        """Refuse an address of this machine or its network where strangers have accounts; Forbidden."""
        if not self._allows_private and _is_private(address):
            raise Forbidden(
                "This address belongs to the server or to a private network.",
                details={"reason": "private_address"},
                suggestion="The keeper of the server may allow it with FABULA_PRIVATE_MODELS=on.",
            )

    def change(self, setup: ModelSetup) -> None:
        """Write the file in one piece, readable by its owner only."""
        body = orjson.dumps(
            {
                "address": setup.address,
                "key": setup.key.get_secret_value(),
                "models": setup.models.model_dump(),
            }
        )
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            # Temporary files are readable by their owner only, and a renamed one stays so.
            handle, name = tempfile.mkstemp(prefix=f".{self._file.name}.", dir=self._file.parent)
            try:
                with os.fdopen(handle, "wb") as target:
                    target.write(body)
                    target.flush()
                    os.fsync(target.fileno())
                os.replace(name, self._file)
            except BaseException:
                with suppress(OSError):
                    os.unlink(name)
                raise
        except OSError as error:
            raise InternalError(
                f"The language model could not be saved: {error.strerror or 'the file cannot be written'}.",
                suggestion="Make the folder of the database writable, or set FABULA_MODEL_FILE.",
            ) from error

    def on_trial(self, setup: ModelSetup) -> ChatModel:
        """Open the model of a set-up that is not kept."""
        return self._opens(setup.address, setup.key, setup.models.write)

    def chats(self) -> dict[ModelTask, ChatModel]:
        """Return the model of each task; empty if no address is set up."""
        setup = self.current()
        return {task: self._opened(setup, task) for task in TASKS} if setup.address else {}

    def close(self) -> None:
        """Close every model that was opened."""
        with self._lock:
            opened, self._open = tuple(self._open.values()), {}
        for model in opened:
            model.close()

    def _opened(self, setup: ModelSetup, task: ModelTask) -> ChatModel:
        wanted = (setup.address, setup.key.get_secret_value(), setup.models.name_for(task))
        with self._lock:
            found = self._open.get(wanted)
            if found is None:
                # Models of an earlier set-up may still be answering: they are closed at the end.
                found = self._open[wanted] = self._opens(setup.address, setup.key, wanted[2])
            return found

    def _kept(self) -> ModelSetup:
        """Return what the file says; nothing if it is missing or damaged."""
        try:
            found = self._file.stat()
        except OSError:
            return ModelSetup()
        stamp = (found.st_mtime_ns, found.st_size, found.st_ino)
        if self._read[0] != stamp:
            self._read = (stamp, _parsed(self._file))
        return self._read[1]


def _parsed(file: Path) -> ModelSetup:
    try:
        return ModelSetup.model_validate(orjson.loads(file.read_bytes()))
    except (OSError, orjson.JSONDecodeError, ValidationError):
        return ModelSetup()


def _is_private(address: str) -> bool:
    """Whether a name leads anywhere but to the public internet; one that leads nowhere does not."""
    host = urlsplit(address).hostname or ""
    try:
        found = {info[4][0] for info in socket.getaddrinfo(host, None)}
    except OSError:
        return False
    return any(not ipaddress.ip_address(str(one).partition("%")[0]).is_global for one in found)


class OneModel:
    """A single model given in code, for every task; nobody changes it from outside."""

    fixed: tuple[Fixed, ...] = ("address", "key", "model")

    def __init__(self, model: ChatModel | None) -> None:
        self._model = model

    def current(self) -> ModelSetup:
        """Return its name; it has no address."""
        name = "" if self._model is None else self._model.name
        return ModelSetup(models=TaskModels(write=name))

    def may_change(self, user_name: str | None) -> bool:
        """Return False: it is part of the program."""
        return False

    def check_address(self, address: str) -> None:
        """Refuse every address; Forbidden."""
        raise _given_in_code()

    def change(self, setup: ModelSetup) -> None:
        """Refuse every set-up; Forbidden."""
        raise _given_in_code()

    def on_trial(self, setup: ModelSetup) -> ChatModel:
        """Refuse every set-up; Forbidden."""
        raise _given_in_code()

    def chats(self) -> dict[ModelTask, ChatModel]:
        """Return the model for every task, if there is one."""
        return {} if self._model is None else dict.fromkeys(TASKS, self._model)

    def close(self) -> None:
        """Close the model."""
        if self._model is not None:
            self._model.close()


def _given_in_code() -> Forbidden:
    return Forbidden(
        "The language model of this memory is given in code.",
        suggestion="Open the memory with Memory.configured to set one up.",
    )
