import anthropic
import httpx2
from langchain_anthropic import ChatAnthropic

from .anthropic_messages import request_of
from .langchain import turns
from .tap import Tap


def ask(scenario, options):
    tap = Tap(options)
    request = request_of(scenario["ask"], options["model"])
    model = ChatAnthropic(
        base_url=options["origin"],
        api_key="not-sent",
        model=options["model"],
        max_retries=options["retries"],
        max_tokens=request["max_tokens"],
        default_headers=tap.headers,
        stream_usage=True,
        **({"thinking": request["thinking"]} if "thinking" in request else {}),
        **({"output_config": request["output_config"]} if "output_config" in request else {}),
    )
    # It takes no client of its own.
    model.__dict__["_client"] = anthropic.Anthropic(**{**model._client_params, "http_client": tap.client(httpx2)})
    if "tools" in request:
        model = model.bind_tools(request["tools"])
    try:
        return tap.received(turns(scenario, model, options["stream"]))
    except anthropic.APIStatusError as error:
        return tap.failed(error.status_code, error.message)
