"""OpenAI's form of chat completions, which several libraries have."""

import json

from .tap import counted, results_of


def messages_of(ask):
    system = [{"role": "system", "content": ask["system"]}] if "system" in ask else []
    return [*system, {"role": "user", "content": ask["user"]}]


def chat_request(ask, model):
    request = {"model": model, "messages": messages_of(ask), "max_completion_tokens": ask["maxTokens"]}
    if "tools" in ask:
        request["tools"] = [
            {
                "type": "function",
                "function": {"name": tool["name"], "description": tool["description"], "parameters": tool["schema"]},
            }
            for tool in ask["tools"]
        ]
    if "schema" in ask:
        schema = {"name": ask["schema"]["name"], "schema": ask["schema"]["schema"], "strict": True}
        request["response_format"] = {"type": "json_schema", "json_schema": schema}
    if ask.get("reasoning"):
        request["reasoning_effort"] = "medium"
    return request


def count_in(usage, details, name):
    """A count that is in an object of the library, or in one that it does not know."""
    found = getattr(usage, details, None)
    return found.get(name) if isinstance(found, dict) else getattr(found, name, 0)


def usage_of(usage):
    if usage is None:
        return {}
    cached = count_in(usage, "prompt_tokens_details", "cached_tokens")
    reasoning = count_in(usage, "completion_tokens_details", "reasoning_tokens")
    return {"usage": counted(usage.prompt_tokens, usage.completion_tokens, cached, reasoning)}


def text_of(content):
    if isinstance(content, list):
        return "".join(getattr(part, "text", "") or "" for part in content)
    return content or ""


def said_of(completion):
    choice = completion.choices[0]
    calls = [
        {"id": call.id, "name": call.function.name, "args": json.loads(call.function.arguments)}
        for call in choice.message.tool_calls or []
    ]
    said = {"text": text_of(choice.message.content), "calls": calls, "finish": choice.finish_reason}
    return {**said, **usage_of(completion.usage)}


def said_of_chunks(chunks):
    """What chunks say together, as applications put them together."""
    said = {"text": "", "calls": [], "finish": ""}
    calls = {}
    for chunk in chunks:
        if getattr(chunk, "usage", None) is not None:
            said.update(usage_of(chunk.usage))
        for choice in chunk.choices:
            said["text"] += text_of(choice.delta.content)
            said["finish"] = choice.finish_reason or said["finish"]
            for piece in choice.delta.tool_calls or []:
                call = calls.setdefault(piece.index, {"id": "", "name": "", "arguments": ""})
                call["id"] = piece.id or call["id"]
                call["name"] += piece.function.name or ""
                call["arguments"] += piece.function.arguments or ""
    said["calls"] = [
        {"id": call["id"], "name": call["name"], "args": json.loads(call["arguments"])} for call in calls.values()
    ]
    return said


def assistant_message(said):
    calls = [
        {
            "id": call["id"],
            "type": "function",
            "function": {"name": call["name"], "arguments": json.dumps(call["args"])},
        }
        for call in said["calls"]
    ]
    return {"role": "assistant", "content": said["text"] or None, **({"tool_calls": calls} if calls else {})}


def tool_messages(said, next):
    return [
        {"role": "tool", "tool_call_id": result["id"], "content": result["text"]}
        for result in results_of(said["calls"], next)
    ]


def chat_turns(scenario, request, take):
    """Takes one or both steps. `take` gives what was said, and the message to send back."""
    said, message = take(request)
    if "next" not in scenario:
        return said
    messages = [*request["messages"], message, *tool_messages(said, scenario["next"])]
    return take({**request, "messages": messages})[0]
