"""The files that run Fabula for others name what is there: settings, addresses, services, commands."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import uvicorn
import yaml
from typer.main import get_command

from fabula.api.app import create_app
from fabula.api.rest.live import LONGEST_SECONDS
from fabula.cli.main import app as commands
from fabula.cli.server_socket import LAST_ANSWERS_S
from fabula.config import SETTINGS, load
from fabula.jobs.crew import GRACE_S
from fabula.memory import Memory
from required import missing

DEPLOY = Path(__file__).parents[1] / "deploy"
UNITS = sorted(path.name for path in DEPLOY.glob("*.service"))


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return dict(yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8")))


@pytest.mark.parametrize("path", sorted(DEPLOY.iterdir()), ids=lambda path: path.name)
def test_every_setting_that_is_named_exists(path: Path) -> None:
    named = set(re.findall(r"FABULA_[A-Z0-9_]+", path.read_text("utf-8")))
    assert named <= {setting.variable for setting in SETTINGS}


def test_everything_that_compose_asks_for_is_in_the_example(compose: dict[str, Any]) -> None:
    asked = set(re.findall(r"\$\{(\w+)", (DEPLOY / "compose.yaml").read_text("utf-8")))
    given = set(re.findall(r"^(\w+)=", (DEPLOY / "example.env").read_text("utf-8"), re.M))
    assert asked == given


def test_services_and_volumes_of_compose_fit_together(compose: dict[str, Any]) -> None:
    services = compose["services"]
    for name, service in services.items():
        assert set(service.get("depends_on", ())) <= set(services)
        for volume in service.get("volumes", ()):
            assert volume.partition(":")[0] in compose["volumes"], name
        assert "image" in service
    for depended, wanted in services["fabula"]["depends_on"].items():
        assert wanted["condition"] == "service_healthy"
        assert services[depended]["healthcheck"]
    assert services["neo4j"]["profiles"] == ["graph"], "nobody is made to run a graph server"


def test_nothing_but_this_machine_is_listened_to(compose: dict[str, Any]) -> None:
    ports = [port for service in compose["services"].values() for port in service.get("ports", ())]
    assert ports
    assert all(port.startswith("127.0.0.1:") for port in ports)
    assert compose["services"]["fabula"]["environment"]["FABULA_AUTH"] == "required"


def test_there_is_time_to_stop_in_order(compose: dict[str, Any]) -> None:
    needed = LAST_ANSWERS_S + GRACE_S
    assert int(compose["services"]["fabula"]["stop_grace_period"].removesuffix("s")) > needed
    unit = (DEPLOY / "fabula@.service").read_text("utf-8")
    assert int(re.findall(r"^TimeoutStopSec=(\d+)$", unit, re.M)[0]) > needed


def test_the_proxy_agrees_with_the_server() -> None:
    """Connections are given up before the server closes them, and streams are not cut."""
    said = (DEPLOY / "nginx.conf").read_text("utf-8")
    (idle,) = re.findall(r"^    keepalive_timeout (\d+)s;", said, re.M)
    assert int(idle) < uvicorn.Config("").timeout_keep_alive
    (silence,) = re.findall(r"proxy_read_timeout (\d+)s;", said)
    assert int(silence) > LONGEST_SECONDS
    assert f"server 127.0.0.1:{load({}, DEPLOY / 'nowhere.toml').port};" in said


def test_addresses_that_are_named_are_served() -> None:
    with Memory.throwaway() as memory:
        served = set(create_app(memory, version="0").openapi()["paths"])
    named = re.findall(r"127\.0\.0\.1:8765(/[\w/]+)", (DEPLOY / "Dockerfile").read_text("utf-8"))
    assert named
    assert set(named) <= served


@pytest.mark.parametrize("unit", UNITS)
def test_commands_of_the_units_exist(unit: str) -> None:
    command = re.findall(
        r"^ExecStart=/opt/fabula/bin/fabula (\w+) (--\w+) \S+$", (DEPLOY / unit).read_text("utf-8"), re.M
    )
    assert len(command) == 1
    known: Any = get_command(commands)
    options = {name for option in known.commands[command[0][0]].params for name in option.opts}
    assert command[0][1] in options


@pytest.fixture
def units(tmp_path: Path) -> list[Path]:
    """The units with the program in another place, because nobody has it in the one that they name."""
    if shutil.which("systemd-analyze") is None:
        missing("There is no systemd here to ask.")
    program = tmp_path / "fabula"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    copies = []
    for path in sorted([*DEPLOY.glob("*.service"), *DEPLOY.glob("*.timer")]):
        copies.append(tmp_path / path.name.replace("@.", "@8765."))
        copies[-1].write_text(path.read_text("utf-8").replace("/opt/fabula/bin/fabula", str(program)))
    return copies


def test_systemd_understands_the_units(units: list[Path]) -> None:
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *map(str, units)],
        capture_output=True,
        text=True,
        check=False,
    )
    said = [line for line in done.stderr.splitlines() if "fabula" in line]
    assert (done.returncode, said) == (0, [])


def test_systemd_finds_the_services_closed(units: list[Path]) -> None:
    """On its scale of exposure, from 0 to 10, both are where systemd says OK."""
    services = [unit for unit in units if unit.suffix == ".service"]
    assert len(services) == len(UNITS)
    for unit in services:
        judged = subprocess.run(
            ["systemd-analyze", "security", "--offline=yes", "--threshold=15", str(unit)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert judged.returncode == 0, judged.stdout.splitlines()[-1:] or judged.stderr
