"""`ask.py MODULE DIALECT PLACE TEXT` asks through a module of `clients`, and prints what its library read of the answer."""

import importlib
import json
import sys

module, dialect, place, text = sys.argv[1:]
out = sys.stdout
# What libraries print must not be read as an answer.
sys.stdout = sys.stderr
ask = getattr(importlib.import_module(f"clients.{module}"), dialect.replace("-", "_"))
said = ask(json.loads(place), text)
print(said if isinstance(said, str) else json.dumps(said), end="", file=out)
