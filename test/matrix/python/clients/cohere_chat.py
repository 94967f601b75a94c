import json

import cohere
from cohere.core.api_error import ApiError

from .chat import messages_of, tool_messages
from .tap import Tap, counted


def request_of(ask, model):
    request = {"model": model, "messages": messages_of(ask), "max_tokens": ask["maxTokens"]}
    if "tools" in ask:
        request["tools"] = [
            {
                "type": "function",
                "function": {"name": tool["name"], "description": tool["description"], "parameters": tool["schema"]},
            }
            for tool in ask["tools"]
        ]
    if "schema" in ask:
        request["response_format"] = {"type": "json_object", "json_schema": ask["schema"]["schema"]}
    if ask.get("reasoning"):
        request["thinking"] = {"type": "enabled", "token_budget": 2048}
    return request


def usage_of(usage):
    if usage is None or usage.tokens is None:
        return {}
    cached = getattr(usage, "cached_tokens", 0)
    return {"usage": counted(int(usage.tokens.input_tokens or 0), int(usage.tokens.output_tokens or 0), int(cached or 0))}


def said_of(message, finish, usage):
    calls = [
        {"id": call["id"], "name": call["function"]["name"], "args": json.loads(call["function"]["arguments"])}
        for call in message.get("tool_calls") or []
    ]
    text = "".join(part.get("text", "") for part in message.get("content") or [])
    return {"text": text, "calls": calls, "finish": finish or "", **usage_of(usage)}


def message_of_stream(events):
    """What the events say together, as a message to send back, with how it ended."""
    message = {"role": "assistant"}
    finish, usage = "", None
    for event in events:
        delta = getattr(event, "delta", None)
        if event.type == "content-start":
            content = delta.message.content
            message.setdefault("content", []).append({"type": content.type, content.type: ""})
        elif event.type == "content-delta":
            content = delta.message.content
            last = message["content"][-1]
            last[last["type"]] += getattr(content, last["type"]) or ""
        elif event.type == "tool-plan-delta":
            message["tool_plan"] = message.get("tool_plan", "") + delta.message.tool_plan
        elif event.type == "tool-call-start":
            call = delta.message.tool_calls
            function = {"name": call.function.name, "arguments": call.function.arguments or ""}
            message.setdefault("tool_calls", []).append({"id": call.id, "type": "function", "function": function})
        elif event.type == "tool-call-delta":
            piece = delta.message.tool_calls.function.arguments
            message["tool_calls"][-1]["function"]["arguments"] += piece
        elif event.type == "message-end":
            finish, usage = delta.finish_reason, delta.usage
    return message, finish, usage


def ask(scenario, options):
    tap = Tap(options)
    client = cohere.ClientV2(
        api_key="not-sent",
        base_url=options["origin"],
        httpx_client=tap.client(headers=tap.headers),
        max_retries=options["retries"],
    )

    def take(request):
        if options["stream"]:
            return message_of_stream(client.chat_stream(**request))
        response = client.chat(**request)
        message = json.loads(response.message.json(exclude_none=True))
        return message, response.finish_reason, response.usage

    try:
        request = request_of(scenario["ask"], options["model"])
        turn = take(request)
        if "next" in scenario:
            results = tool_messages(said_of(*turn), scenario["next"])
            turn = take({**request, "messages": [*request["messages"], turn[0], *results]})
        return tap.received(said_of(*turn))
    except ApiError as error:
        return tap.failed(error.status_code, str(error.body))
