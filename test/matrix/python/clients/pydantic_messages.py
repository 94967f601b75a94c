import anthropic
import httpx2
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.providers.anthropic import AnthropicProvider

from .anthropic_messages import request_of
from .pydantic import ask_model
from .tap import Tap


def ask(scenario, options):
    tap = Tap(options)
    client = anthropic.AsyncAnthropic(
        base_url=options["origin"],
        api_key="not-sent",
        max_retries=options["retries"],
        default_headers=tap.headers,
        http_client=tap.async_client(httpx2),
    )
    model = AnthropicModel(options["model"], provider=AnthropicProvider(anthropic_client=client))
    request = request_of(scenario["ask"], options["model"])
    settings = {"anthropic_thinking": request["thinking"]} if "thinking" in request else {}
    return ask_model(scenario, options, tap, model, settings)
