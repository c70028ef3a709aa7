"""REST routes: method, path and operation, and how an HTTP request becomes the operation's request.

Parameters in the path are fields of the request; `{storyId}` is the story. The other fields come from the
query if there is no body, otherwise from the body, which is the rest of the request or the one field that
the route names.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Coroutine, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import NoneType
from typing import Annotated, Any, get_args

from fastapi import APIRouter, Body, Path, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel, BeforeValidator, Strict, TypeAdapter, create_model
from pydantic.alias_generators import to_camel, to_snake
from pydantic.fields import FieldInfo

from fabula.api.authentication import identity_of
from fabula.api.compression import json_response
from fabula.api.rest.paging import RestPage, rest_page
from fabula.api.threads import threads
from fabula.call import Call
from fabula.errors import FabulaError
from fabula.memory import Memory
from fabula.model.bounds import PageNumber, PageSize
from fabula.model.moment import MAX_CHAPTER, MAX_SCENE, Moment
from fabula.model.parsing import parsed
from fabula.model.wire import Value
from fabula.operations.table import Operation, admit, log_refusal, run

JSON = "application/json"
STORY = "storyId"

_BODILESS = ("GET", "DELETE")
_IN_ADDRESS = re.compile(r"{(\w+)}")
_NO_CONTENT = 204


@dataclass(frozen=True)
class Route:
    """A route. `body` is the field that holds the body, `raw` the one that gets its bytes unparsed.

    `pages` is the item type if the answer is a list. `hidden` fields cannot be sent, and `renamed` ones have
    another name in the path. A `brief` request gets no fields that have their defaults. Where HTTP needs
    more than the answer as JSON, `serve` runs the operation itself and makes the response.
    """

    method: str
    path: str
    operation: Operation[Any, Any]
    status: int = 200
    body: str | None = None
    body_type: Any = None
    optional_body: bool = False
    raw: str | None = None
    hidden: frozenset[str] = frozenset()
    pages: Any = None
    renamed: Mapping[str, str] = field(default_factory=dict)
    name: str | None = None
    answers: Any = None
    reads: Callable[[Request, dict[str, Any]], dict[str, Any]] | None = None
    gives: Callable[[Any], Any] | None = None
    status_of: Callable[[Any], int] | None = None
    brief: Callable[[dict[str, Any]], bool] | None = None
    serve: Callable[[Request, Call, Any], Coroutine[Any, Any, Response]] | None = None
    described: Mapping[str, Any] = field(default_factory=dict)

    @property
    def in_address(self) -> dict[str, str]:
        """The request fields in the path, by their names there."""
        named = {STORY: "project_id", **self.renamed}
        return {name: named.get(name, to_snake(name)) for name in _IN_ADDRESS.findall(self.path)}

    @property
    def response_model(self) -> Any:
        """The type of the response, for the documentation."""
        if self.pages is not None:
            return RestPage[self.pages]  # type: ignore[name-defined]
        answer = self.answers or self.operation.response
        return None if answer is NoneType or self.status == _NO_CONTENT else answer

    @property
    def success(self) -> int:
        """The status of a successful response."""
        is_empty = self.serve is None and self.gives is None and self.response_model is None
        return _NO_CONTENT if is_empty else self.status

    @cached_property
    def _adapter(self) -> TypeAdapter[Any]:
        return TypeAdapter(self.response_model)

    @cached_property
    def shape(self) -> Shape:
        """How an HTTP request becomes the operation's request."""
        return Shape(self)

    def request_of(self, http: Request, given: dict[str, Any]) -> Any:
        """Build the operation's request from the HTTP parameters."""
        fields = self.shape.fields(given)
        if self.reads is not None:
            return parsed(self.operation.request, self.reads(http, fields))
        return self.operation.request.trusted_without(self.shape.left_out(given), **fields)

    def response_to(self, answer: Any, http: Request, given: dict[str, Any]) -> Response:
        """Build the HTTP response."""
        status = self.success if self.status_of is None else self.status_of(answer)
        if self.gives is not None:
            answer = self.gives(answer)
        if isinstance(answer, Response):
            return answer
        if answer is None or status == _NO_CONTENT:
            return Response(status_code=_NO_CONTENT)
        if self.pages is not None:
            answer = rest_page(self.response_model, answer, given["page"], given["size"])
        is_brief = self.brief is not None and self.brief(given)
        body = self._adapter.dump_json(answer, by_alias=True, exclude_defaults=is_brief)
        return json_response(http.scope, body, status)


def routes(prefix: str, tag: str, rows: Iterable[Route]) -> APIRouter:
    """Create a router for the routes of one file."""
    router = APIRouter(prefix=prefix, tags=[tag], route_class=_Row)
    for row in rows:
        router.add_api_route(
            row.path,
            _endpoint(replace(row, path=prefix + row.path)),
            methods=[row.method],
            status_code=row.success,
            response_model=None if row.serve is not None else row.response_model,
            description=row.operation.summary,
            **row.described,
        )
    return router


def _endpoint(route: Route) -> Callable[..., Coroutine[Any, Any, Response]]:
    """Create the endpoint function of a route with its full path."""

    async def endpoint(http: Request, **given: Any) -> Response:
        if route.raw is not None:
            given[route.raw] = await http.body()
        if route.serve is not None:
            call, request = await threads.run(_asked, route, http, given)
            return await route.serve(http, call, request)
        return await threads.run(_answered, route, http, given)

    run_of: Any = route.operation.run
    endpoint.__name__ = route.name or run_of.__name__
    endpoint.__doc__ = route.operation.summary
    http = inspect.Parameter("http", inspect.Parameter.KEYWORD_ONLY, annotation=Request)
    endpoint.__signature__ = inspect.Signature([http, *route.shape.parameters])  # type: ignore[attr-defined]
    endpoint.row = route  # type: ignore[attr-defined]
    return endpoint


def _call(http: Request) -> Call:
    memory: Memory = http.app.state.memory
    return memory.call(identity_of(http.scope))


def _asked(route: Route, http: Request, given: dict[str, Any]) -> tuple[Call, Any]:
    call = _call(http)
    try:
        request = route.request_of(http, given)
    except FabulaError:
        _admit(route, http)
        raise
    if route.serve is not None:
        _admit(route, http)
    return call, request


def _admit(route: Route, http: Request) -> None:
    """Refuse unauthorized callers before revealing anything about the request."""
    project_id = http.path_params.get(STORY)
    try:
        admit(_call(http), route.operation, project_id)
    except FabulaError as error:
        log_refusal(route.operation, {"projectId": project_id}, error)
        raise


def _answered(route: Route, http: Request, given: dict[str, Any]) -> Response:
    call, request = _asked(route, http, given)
    return route.response_to(run(route.operation, call, request), http, given)


class _Row(APIRoute):
    """Checks authorization before reporting validation errors."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Wrap the framework's handler, which validates first."""
        handle = super().get_route_handler()
        route: Route = self.endpoint.row  # type: ignore[attr-defined]

        async def handler(http: Request) -> Response:
            try:
                return await handle(http)
            except RequestValidationError:
                await threads.run(_admit, route, http)
                raise

        return handler


class Shape:
    """The parameters of an endpoint, and how their values become request fields."""

    def __init__(self, route: Route) -> None:
        self._model: type[Value] = route.operation.request
        self._whole_body: type[BaseModel] | None = None
        self.parameters: list[inspect.Parameter] = []
        self._moments: dict[str, tuple[str, str]] = {}
        self._groups: dict[str, tuple[type[Value], tuple[str, ...]]] = {}
        self._pages = route.pages is not None
        self._body_field = route.body
        fields = dict(self._model.model_fields)
        for name, of_request in route.in_address.items():
            self._add(of_request, fields.pop(of_request), Path(alias=name))
        for name in ("page", "size", "limit", "offset") if self._pages else ():
            fields.pop(name, None)
        fields.pop(route.raw or "", None)
        bodiless = route.method in _BODILESS or route.raw is not None
        self._hidden = {
            name: fields.pop(name).get_default(call_default_factory=True) for name in route.hidden
        }
        for name in list(fields) if bodiless else ():
            self._add_query(name, fields.pop(name))
        if self._pages:
            self._add("page", FieldInfo(annotation=PageNumber, default=0), Query())
            self._add("size", FieldInfo(annotation=PageSize, default=20), Query())
        if route.body is not None:
            one = fields.pop(route.body)
            self._add(
                route.body, one if route.body_type is None else FieldInfo(annotation=route.body_type), Body()
            )
            for name in list(fields):
                self._add_query(name, fields.pop(name))
        elif fields:
            self._whole_body = _rest_of(self._model, fields, route.operation.channel is not None)
            default = self._whole_body() if route.optional_body else inspect.Parameter.empty
            self._parameter("body", Annotated[self._whole_body, Body()], default)

    def left_out(self, given: dict[str, Any]) -> AbstractSet[str]:
        """Return the fields that a body does not have; a field that is null may mean something else."""
        if self._whole_body is None:
            return frozenset()
        body: BaseModel = given["body"]
        return type(body).model_fields.keys() - body.model_fields_set

    def fields(self, given: dict[str, Any]) -> dict[str, Any]:
        """Convert the parameter values to request fields."""
        fields = {**self._hidden, **given}
        if self._whole_body is not None:
            fields.update(fields.pop("body").__dict__)
        if self._pages:
            page, size = fields.pop("page"), fields.pop("size")
            paging = {"page": page, "size": size, "limit": size, "offset": page * size}
            fields.update({name: paging[name] for name in paging if name in self._model.model_fields})
        for name, (chapter, scene) in self._moments.items():
            place = {"chapter": fields.pop(chapter), "scene": fields.pop(scene)}
            fields[name] = None if place["chapter"] is None else parsed(Moment, place)
        for name, (kind, parts) in self._groups.items():
            fields[name] = parsed(kind, {part: fields.pop(part) for part in parts})
        return fields

    def _add_query(self, name: str, one: FieldInfo) -> None:
        kinds = [kind for kind in get_args(one.annotation) or (one.annotation,) if kind is not NoneType]
        kind = kinds[0] if len(kinds) == 1 else None
        if kind is Moment:
            chapter, scene = ("chapter", "scene") if name == "as_of" else (f"{name}_chapter", f"{name}_scene")
            for part, most in ((chapter, MAX_CHAPTER), (scene, MAX_SCENE)):
                query = Query(alias=to_camel(part), ge=0, le=most)
                self._parameter(part, Annotated[int | None, query], None)
            self._moments[name] = (chapter, scene)
        elif isinstance(kind, type) and issubclass(kind, Value):
            for part, inner in kind.model_fields.items():
                self._add_query(part, inner)
            self._groups[name] = (kind, tuple(kind.model_fields))
        else:
            self._add(name, one, Query(alias=one.alias or to_camel(name), description=one.description))

    def _add(self, name: str, one: FieldInfo, place: Any) -> None:
        rules = [rule for rule in one.metadata if not isinstance(rule, Strict)]
        if _is_number(one.annotation):
            rules.append(BeforeValidator(_number))
        kind = Annotated[one.annotation, *rules, place]  # type: ignore[name-defined]
        default = inspect.Parameter.empty if one.is_required() else one.get_default(call_default_factory=True)
        self._parameter(name, kind, default)

    def _parameter(self, name: str, kind: Any, default: Any) -> None:
        keyword = inspect.Parameter.KEYWORD_ONLY
        self.parameters.append(inspect.Parameter(name, keyword, default=default, annotation=kind))


def _number(value: Any) -> Any:
    """Parse a number in a path or query, where everything is text."""
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else value


def _is_number(kind: Any) -> bool:
    """Whether a strict type accepts integers."""
    return kind is int or any(map(_is_number, get_args(kind)))


def _rest_of(model: type[Value], fields: dict[str, FieldInfo], is_channel: bool) -> type[BaseModel]:
    """Create the body type: the request without fields passed elsewhere, with the validators that apply."""
    bases = tuple(_bases(model, fields))
    lost = set(model.__pydantic_decorators__.model_validators)
    lost -= {name for base in bases for name in base.__pydantic_decorators__.model_validators}
    if lost:
        raise TypeError(f"{model.__name__}: {lost} would not hold for its body; give it a class of its own")
    own = {name: one for name, one in fields.items() if not any(name in base.model_fields for base in bases)}
    rest: type[BaseModel] = create_model(  # type: ignore[call-overload]
        model.__name__.removeprefix("Knowledge") if is_channel else model.__name__,
        __base__=bases or Value,
        __doc__=model.__doc__,
        **{name: (one.annotation, one) for name, one in own.items()},
    )
    return rest


def _bases(model: type[BaseModel], fields: dict[str, FieldInfo]) -> Iterable[type[Value]]:
    for base in model.__bases__:
        if issubclass(base, Value) and base is not Value:
            if set(base.model_fields) <= set(fields):
                if base.model_fields:
                    yield base
            else:
                yield from _bases(base, fields)
