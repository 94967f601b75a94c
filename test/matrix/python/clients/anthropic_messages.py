import anthropic
import httpx2

from .tap import Tap, counted, results_of


def request_of(ask, model):
    adapts = "-4-5" not in model
    request = {"model": model, "max_tokens": ask["maxTokens"], "messages": [{"role": "user", "content": ask["user"]}]}
    if "system" in ask:
        request["system"] = ask["system"]
    if "tools" in ask:
        request["tools"] = [
            {"name": tool["name"], "description": tool["description"], "input_schema": tool["schema"]}
            for tool in ask["tools"]
        ]
    config = {}
    if "schema" in ask:
        config["format"] = {"type": "json_schema", "schema": ask["schema"]["schema"]}
    if ask.get("reasoning"):
        request["thinking"] = {"type": "adaptive"} if adapts else {"type": "enabled", "budget_tokens": 2048}
        if adapts:
            config["effort"] = "medium"
    if config:
        request["output_config"] = config
    return request


def said_of(message):
    usage = message.usage
    cached = usage.cache_read_input_tokens or 0
    written = usage.cache_creation_input_tokens or 0
    details = getattr(usage, "output_tokens_details", None)
    return {
        "text": "".join(block.text for block in message.content if block.type == "text"),
        "calls": [
            {"id": block.id, "name": block.name, "args": block.input}
            for block in message.content
            if block.type == "tool_use"
        ],
        "finish": message.stop_reason or "",
        # The count of input excludes what is read from a cache or written to it.
        "usage": counted(
            usage.input_tokens + cached + written,
            usage.output_tokens,
            cached,
            details.thinking_tokens if details else 0,
        ),
    }


def ask(scenario, options):
    tap = Tap(options)
    client = anthropic.Anthropic(
        base_url=options["origin"],
        api_key="not-sent",
        max_retries=options["retries"],
        default_headers=tap.headers,
        http_client=tap.client(httpx2),
    )

    def take(request):
        if not options["stream"]:
            return client.messages.create(**request)
        with client.messages.stream(**request) as stream:
            return stream.get_final_message()

    try:
        request = request_of(scenario["ask"], options["model"])
        message = take(request)
        if "next" in scenario:
            results = [
                {"type": "tool_result", "tool_use_id": result["id"], "content": result["text"]}
                for result in results_of(said_of(message)["calls"], scenario["next"])
            ]
            turn = [{"role": "assistant", "content": message.content}, {"role": "user", "content": results}]
            message = take({**request, "messages": [*request["messages"], *turn]})
        return tap.received(said_of(message))
    except anthropic.APIStatusError as error:
        return tap.failed(error.status_code, error.message)
