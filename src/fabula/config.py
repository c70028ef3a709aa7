"""All settings in one table: name, default, meaning. Nothing else reads the environment."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import SecretStr

from fabula.errors import InvalidInput
from fabula.model.story import Limits
from fabula.store.place import DatabasePlace, at_home, place_of, without_password


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting a user may change."""

    name: str
    default: str | int
    meaning: str
    least: int = 0
    is_secret: bool = False
    # Whether an empty value means none, instead of the default.
    may_be_none: bool = False

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return f"FABULA_{self.name.upper()}"

    def shown(self, value: str | int) -> str:
        """The value for display: secrets masked, addresses without a password."""
        return "***" if self.is_secret and value else without_password(str(value))


_LIMITS = Limits()
DEFAULT_TOKEN_MODEL = "o200k_base"
DEFAULT_CALLS_PER_MINUTE = 60
DEFAULT_STORY_MEMORY_MB = 1_000
DEFAULT_RECEIPTS = 100
AUTH_REQUIRED = "required"
NO_EMBEDDING = "none"
ON = "on"
GRAPH_INDEX, GRAPH_NEO4J = "index", "neo4j"

SETTINGS = (
    Setting(
        "db",
        "~/.fabula/fabula.db",
        "the database that holds the stories: a file, or an address postgresql://user@host/database",
    ),
    Setting("host", "127.0.0.1", "the address the server listens on"),
    Setting("port", 8765, "the port the server listens on"),
    Setting("processes", 1, "how many server processes listen on that port", least=1),
    Setting("auth", "none", "whether callers of the server need a token: none, required"),
    Setting(
        "allowed_origins",
        "",
        "origins of other web pages that may use the server, such as https://notes.example.org, separated "
        "by spaces",
    ),
    Setting("token_model", DEFAULT_TOKEN_MODEL, "the model or vocabulary whose tokens are counted"),
    Setting("llm_base_url", "", "the OpenAI-compatible base URL of the language model, including /v1"),
    Setting("llm_api_key", "", "the key of the language model", is_secret=True),
    Setting("llm_model", "", "the name of the language model"),
    Setting(
        "model_file",
        "",
        "the file that holds the language model set up in the page, with its key; "
        "empty is one beside the database",
    ),
    Setting(
        "administrators",
        "",
        "users who may set up the language model in the page where tokens are required, separated by spaces",
    ),
    Setting(
        "private_models",
        "off",
        "whether they may name an address of this machine or its private network: on, off",
    ),
    Setting("llm_timeout_s", 120, "seconds a language model may go without sending anything", least=1),
    Setting(
        "llm_window",
        0,
        "the language model's context window in tokens; 0 asks the endpoint",
    ),
    Setting(
        "embedding_model",
        "",
        "the embedding model: a folder, a model at the address below, or none; empty is the built-in one",
    ),
    Setting(
        "embedding_base_url", "", "the address of the embedding model, if it is not the language model's"
    ),
    Setting("embedding_api_key", "", "the key for that address, if it is another one", is_secret=True),
    Setting(
        "embedding_secrets",
        "off",
        "whether that address also receives texts hidden from models (never, manual_only): on, off",
    ),
    Setting(
        "model_calls_per_minute",
        DEFAULT_CALLS_PER_MINUTE,
        "language model calls one caller may make per minute; 0 is unlimited",
    ),
    Setting(
        "work_after_saving",
        "on",
        "whether the server extracts from and summarises scenes after they are saved: on, off",
    ),
    Setting(
        "import_dir",
        "~/.fabula/import",
        "the folder from which agents may import files; empty for none",
        may_be_none=True,
    ),
    Setting("export_dir", "", "the folder in which every story is also kept as text files; empty for none"),
    Setting("graph", GRAPH_INDEX, "what answers graph queries: index (built in), neo4j"),
    Setting("neo4j_uri", "bolt://127.0.0.1:7687", "the address of the Neo4j server that mirrors the stories"),
    Setting("neo4j_user", "neo4j", "the Neo4j user; empty for none", may_be_none=True),
    Setting("neo4j_password", "", "the password of that user", is_secret=True),
    Setting("neo4j_database", "", "the Neo4j database; empty for the server's default"),
    Setting("log_level", "info", "how much the server logs: debug, info, warning, error"),
    Setting("max_body_mb", 256, "the largest request body, in MiB"),
    Setting(
        "story_memory_mb",
        DEFAULT_STORY_MEMORY_MB,
        "about how many MB of compiled stories a process may keep; the least recently used are dropped first",
    ),
    Setting("receipts", DEFAULT_RECEIPTS, "receipts of contexts that are kept for each story; 0 is none"),
    Setting("max_entities", _LIMITS.max_entities, "entities a story may hold"),
    Setting("max_relations", _LIMITS.max_relations, "relations a story may hold"),
    Setting("max_attribute_keys", _LIMITS.max_attribute_keys, "attributes an entity may have"),
    Setting("max_subgraph_k", _LIMITS.max_subgraph_k, "hops a subgraph may reach"),
    Setting(
        "max_subgraph_nodes", _LIMITS.max_subgraph_nodes, "entities in a subgraph unless maxNodes is given"
    ),
    Setting("max_path_expansions", _LIMITS.max_path_expansions, "entities a path search may visit"),
    Setting("query_timeout_ms", _LIMITS.query_timeout_ms, "milliseconds a query may take"),
)


@dataclass(frozen=True, slots=True)
class Neo4jPlace:
    """The address of the graph server and the credentials for it."""

    uri: str
    user: str
    password: SecretStr
    database: str


@dataclass(frozen=True, slots=True)
class Config:
    """The settings in force."""

    db: DatabasePlace
    host: str
    port: int
    processes: int
    auth_required: bool
    allowed_origins: tuple[str, ...]
    token_model: str
    llm_base_url: str
    llm_api_key: SecretStr
    llm_model: str
    model_file: Path | None
    administrators: tuple[str, ...]
    private_models: bool
    llm_timeout_s: int
    llm_window: int
    embedding_model: str
    embedding_base_url: str
    embedding_api_key: SecretStr
    embedding_secrets: bool
    model_calls_per_minute: int
    work_after_saving: bool
    import_dir: Path | None
    export_dir: Path | None
    neo4j: Neo4jPlace | None
    log_level: str
    max_body_bytes: int
    story_memory_mb: int
    receipts: int
    limits: Limits


FILE = Path("fabula.toml")
# For databases that are no file.
MODEL_FILE = "~/.fabula/model.json"
# No user, password or query: a key in an address would be displayed with it.
_ADDRESS = re.compile(r"https?://([\w.-]+|\[[0-9a-fA-F:.]+\])(:\d+)?(/[\w.~%+:/-]*)?", re.ASCII)
_BOLT_ADDRESS = re.compile(r"(bolt|neo4j)(\+s|\+ssc)?://([\w.-]+|\[[0-9a-fA-F:.]+\])(:\d+)?", re.ASCII)
# The form in which browsers send origins; they are compared as strings.
_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d+)?", re.ASCII)
CHOICES = {
    "log_level": ("debug", "info", "warning", "error"),
    "auth": ("none", AUTH_REQUIRED),
    "work_after_saving": (ON, "off"),
    "embedding_secrets": (ON, "off"),
    "private_models": (ON, "off"),
    "graph": (GRAPH_INDEX, GRAPH_NEO4J),
}


def in_force(environment: Mapping[str, str] | None = None, file: Path = FILE) -> dict[str, str | int]:
    """Every setting's value: from the environment, else from `fabula.toml`, else the default."""
    given = dict(os.environ if environment is None else environment)
    written = _written(file)
    values = {s.name: _value(s, given.get(s.variable, written.get(s.name))) for s in SETTINGS}
    for setting in SETTINGS:
        for check in (_check_choice, _check_address, _check_bolt_address, _check_origins, _check_secret):
            check(setting, str(values[setting.name]))
    return values


def _check_choice(setting: Setting, value: str) -> None:
    choices = CHOICES.get(setting.name)
    if choices is not None and value.lower() not in choices:
        raise InvalidInput(
            f"{setting.variable} must be one of {', '.join(choices)}, not '{value}'.",
            details={"setting": setting.name},
            suggestion=f"Unset it to use {setting.default}.",
        )


def _check_address(setting: Setting, value: str) -> None:
    if setting.name.endswith("_base_url") and value and not _is_address(value):
        raise InvalidInput(
            f"{setting.variable} must be an address that begins with http:// or https:// and holds no key.",
            details={"setting": setting.name},
            suggestion="An example: http://127.0.0.1:11434/v1",
        )


def _check_bolt_address(setting: Setting, value: str) -> None:
    if setting.name == "neo4j_uri" and not _is_address(value, _BOLT_ADDRESS):
        raise InvalidInput(
            f"{setting.variable} must be an address that begins with bolt:// or neo4j:// and holds no key.",
            details={"setting": setting.name},
            suggestion="An example: bolt://127.0.0.1:7687",
        )


def _check_origins(setting: Setting, value: str) -> None:
    if setting.name == "allowed_origins" and not all(_is_address(one, _ORIGIN) for one in value.split()):
        raise InvalidInput(
            f"{setting.variable} must be origins (scheme, host and port, no path) separated by spaces.",
            details={"setting": setting.name},
            suggestion="An example: https://notes.example.org http://localhost:3000",
        )


def _is_address(value: str, pattern: re.Pattern[str] = _ADDRESS) -> bool:
    try:
        return pattern.fullmatch(value) is not None and urlsplit(value).port != 0
    except ValueError:
        return False


def _check_secret(setting: Setting, value: str) -> None:
    """Refuse a secret that cannot be sent; API keys go into a header, which is ASCII only."""
    in_a_header = setting.name.endswith("_api_key")
    if setting.is_secret and not (value.isprintable() and (value.isascii() or not in_a_header)):
        raise InvalidInput(
            f"{setting.variable} contains characters that are not allowed in a key.",
            details={"setting": setting.name},
            suggestion="Copy the key again, without line breaks.",
        )


def _written(file: Path) -> dict[str, object]:
    if not file.is_file():
        return {}
    try:
        written = tomllib.loads(file.read_text("utf-8"))
    except ValueError as error:
        raise InvalidInput(
            f"{file} is not valid TOML: {error}.", suggestion="Correct the file or remove it."
        ) from error
    unknown = sorted(set(written) - {setting.name for setting in SETTINGS})
    if unknown:
        raise InvalidInput(
            f"{file} has settings that Fabula does not know: {', '.join(unknown)}.",
            suggestion=f"Settings are: {', '.join(setting.name for setting in SETTINGS)}.",
        )
    return written


def load(environment: Mapping[str, str] | None = None, file: Path = FILE) -> Config:
    """The settings in force, with their final types."""
    values = in_force(environment, file)
    return Config(
        db=place_of(str(values["db"])),
        host=str(values["host"]),
        port=int(values["port"]),
        processes=int(values["processes"]),
        auth_required=str(values["auth"]).lower() == AUTH_REQUIRED,
        allowed_origins=tuple(str(values["allowed_origins"]).split()),
        token_model=str(values["token_model"]),
        llm_base_url=str(values["llm_base_url"]),
        llm_api_key=SecretStr(str(values["llm_api_key"])),
        llm_model=str(values["llm_model"]),
        model_file=at_home(Path(str(values["model_file"]))) if values["model_file"] else None,
        administrators=tuple(str(values["administrators"]).split()),
        private_models=str(values["private_models"]).lower() == ON,
        llm_timeout_s=int(values["llm_timeout_s"]),
        llm_window=int(values["llm_window"]),
        embedding_model=str(values["embedding_model"]),
        embedding_base_url=str(values["embedding_base_url"] or values["llm_base_url"]),
        embedding_api_key=SecretStr(_embedding_key(values)),
        embedding_secrets=str(values["embedding_secrets"]).lower() == ON,
        model_calls_per_minute=int(values["model_calls_per_minute"]),
        work_after_saving=str(values["work_after_saving"]).lower() == ON,
        import_dir=at_home(Path(str(values["import_dir"]))) if values["import_dir"] else None,
        export_dir=at_home(Path(str(values["export_dir"]))) if values["export_dir"] else None,
        neo4j=_neo4j(values),
        log_level=str(values["log_level"]),
        max_body_bytes=int(values["max_body_mb"]) << 20,
        story_memory_mb=int(values["story_memory_mb"]),
        receipts=int(values["receipts"]),
        limits=Limits(**{name: int(values[name]) for name in Limits.model_fields}),
    )


def is_model_address(value: str) -> bool:
    """Whether a language model can have this address: http or https, without a user or a query."""
    return _is_address(value)


def _neo4j(values: Mapping[str, str | int]) -> Neo4jPlace | None:
    """The graph server, if the settings choose it."""
    if str(values["graph"]).lower() != GRAPH_NEO4J:
        return None
    return Neo4jPlace(
        uri=str(values["neo4j_uri"]),
        user=str(values["neo4j_user"]),
        password=SecretStr(str(values["neo4j_password"])),
        database=str(values["neo4j_database"]),
    )


def _embedding_key(values: Mapping[str, str | int]) -> str:
    """The key for embeddings; the language model's key is sent to its own address only."""
    is_shared = values["embedding_base_url"] in ("", values["llm_base_url"])
    return str(values["embedding_api_key"] or (values["llm_api_key"] if is_shared else ""))


def _value(setting: Setting, given: object) -> str | int:
    if given is None or (given == "" and not setting.may_be_none):
        return setting.default
    if isinstance(setting.default, str):
        return str(given).strip()
    try:
        number = int(str(given))
    except ValueError:
        number = -1
    if number < setting.least:
        least = f" of at least {setting.least}" if setting.least else ""
        raise InvalidInput(
            f"{setting.variable} must be a whole number{least}, not '{given}'.",
            details={"setting": setting.name},
            suggestion=f"Unset it to use {setting.default}.",
        )
    return number


def language(environment: Mapping[str, str] | None = None) -> str:
    """The language of the terminal: `zh` if the locale is Chinese, else `en`."""
    given = os.environ if environment is None else environment
    locale = given.get("FABULA_LANG") or given.get("LC_ALL") or given.get("LC_MESSAGES") or given.get("LANG")
    return "zh" if (locale or "").lower().startswith("zh") else "en"
