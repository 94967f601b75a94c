"""Asks through one library after the other: a request is a line of JSON on standard input, its answer one on standard output."""

import importlib
import json
import sys
import traceback
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

lock = Lock()
out = sys.stdout
# What libraries print must not be read as an answer.
sys.stdout = sys.stderr


def answer(line: str) -> None:
    request = json.loads(line)
    try:
        client = importlib.import_module(f"clients.{request['module']}")
        said = {"received": client.ask(request["scenario"], request["options"])}
    except Exception:
        said = {"failure": traceback.format_exc()}
    with lock:
        print(json.dumps({"id": request["id"], **said}), file=out, flush=True)


# Imports of large packages at the same time can wait for each other.
for name in sys.argv[1:]:
    importlib.import_module(f"clients.{name}")

with ThreadPoolExecutor(12) as pool:
    for line in sys.stdin:
        pool.submit(answer, line)
