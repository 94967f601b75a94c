import json

import openai

from .openai_client import openai_client
from .tap import Tap, counted, results_of


def request_of(ask, model):
    request = {"model": model, "store": False, "max_output_tokens": ask["maxTokens"]}
    request["input"] = [{"role": "user", "content": ask["user"]}]
    if "system" in ask:
        request["instructions"] = ask["system"]
    if "tools" in ask:
        request["tools"] = [
            {
                "type": "function",
                "name": tool["name"],
                "description": tool["description"],
                "parameters": tool["schema"],
                "strict": False,
            }
            for tool in ask["tools"]
        ]
    if "schema" in ask:
        schema = {"name": ask["schema"]["name"], "schema": ask["schema"]["schema"], "strict": True}
        request["text"] = {"format": {"type": "json_schema", **schema}}
    if ask.get("reasoning"):
        request["reasoning"] = {"effort": "medium", "summary": "auto"}
        request["include"] = ["reasoning.encrypted_content"]
    return request


def said_of(response):
    usage = response.usage
    details = response.incomplete_details
    return {
        "text": response.output_text,
        "calls": [
            {"id": item.call_id, "name": item.name, "args": json.loads(item.arguments)}
            for item in response.output
            if item.type == "function_call"
        ],
        "finish": details.reason if details else response.status,
        "usage": counted(
            usage.input_tokens,
            usage.output_tokens,
            usage.input_tokens_details.cached_tokens,
            usage.output_tokens_details.reasoning_tokens,
        ),
    }


def ask(scenario, options):
    tap = Tap(options)
    client = openai_client(tap, options)

    def take(request):
        if not options["stream"]:
            return client.responses.create(**request)
        for event in client.responses.create(**request, stream=True):
            if event.type in ("response.completed", "response.incomplete", "response.failed"):
                return event.response
        raise ValueError("The stream has no end.")

    try:
        request = request_of(scenario["ask"], options["model"])
        response = take(request)
        if "next" in scenario:
            results = [
                {"type": "function_call_output", "call_id": result["id"], "output": result["text"]}
                for result in results_of(said_of(response)["calls"], scenario["next"])
            ]
            response = take({**request, "input": [*request["input"], *response.output, *results]})
        return tap.received(said_of(response))
    except openai.APIStatusError as error:
        return tap.failed(error.status_code, error.message)
