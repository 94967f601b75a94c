import openai
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from .pydantic import ask_model
from .tap import Tap


def ask(scenario, options):
    tap = Tap(options)
    client = openai.AsyncOpenAI(
        base_url=f"{options['origin']}/v1",
        api_key="not-sent",
        max_retries=options["retries"],
        default_headers=tap.headers,
        http_client=tap.async_client(),
    )
    model = OpenAIChatModel(options["model"], provider=OpenAIProvider(openai_client=client))
    settings = {"openai_reasoning_effort": "medium"} if scenario["ask"].get("reasoning") else {}
    return ask_model(scenario, options, tap, model, settings)
