"""What LangChain's packages have in common."""

from .tap import counted, results_of


def said_of(message):
    usage = message.usage_metadata
    input = (usage or {}).get("input_token_details") or {}
    output = (usage or {}).get("output_token_details") or {}
    metadata = message.response_metadata
    return {
        "text": message.text if isinstance(message.text, str) else message.text(),
        "calls": [{"id": call["id"], "name": call["name"], "args": call["args"]} for call in message.tool_calls],
        "finish": metadata.get("finish_reason") or metadata.get("stop_reason") or "",
        **(
            {
                "usage": counted(
                    usage["input_tokens"], usage["output_tokens"], input.get("cache_read"), output.get("reasoning")
                )
            }
            if usage
            else {}
        ),
    }


def taken(model, messages, stream):
    if not stream:
        return model.invoke(messages)
    whole = None
    for chunk in model.stream(messages):
        whole = chunk if whole is None else whole + chunk
    return whole


def turns(scenario, model, stream):
    ask = scenario["ask"]
    system = [{"role": "system", "content": ask["system"]}] if "system" in ask else []
    messages = [*system, {"role": "user", "content": ask["user"]}]
    message = taken(model, messages, stream)
    if "next" in scenario:
        results = [
            {"role": "tool", "tool_call_id": result["id"], "content": result["text"]}
            for result in results_of(said_of(message)["calls"], scenario["next"])
        ]
        message = taken(model, [*messages, message, *results], stream)
    return said_of(message)
