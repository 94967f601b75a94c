from google import genai
from google.genai import errors, types

from .tap import Tap, counted, results_of


def config_of(ask, model):
    config = {"max_output_tokens": ask["maxTokens"]}
    if "system" in ask:
        config["system_instruction"] = ask["system"]
    if "tools" in ask:
        declarations = [
            {"name": tool["name"], "description": tool["description"], "parameters_json_schema": tool["schema"]}
            for tool in ask["tools"]
        ]
        config["tools"] = [{"function_declarations": declarations}]
        config["automatic_function_calling"] = {"disable": True}
    if "schema" in ask:
        config["response_mime_type"] = "application/json"
        config["response_json_schema"] = ask["schema"]["schema"]
    if ask.get("reasoning"):
        level = {"thinking_level": "LOW"} if model.startswith("gemini-3") else {"thinking_budget": 2048}
        config["thinking_config"] = {"include_thoughts": True, **level}
    return config


def said_of(responses):
    candidates = [response.candidates[0] for response in responses if response.candidates]
    parts = [part for each in candidates if each.content for part in each.content.parts or []]
    finishes = [each.finish_reason for each in candidates if each.finish_reason]
    usages = [response.usage_metadata for response in responses if response.usage_metadata]
    said = {
        "text": "".join(part.text for part in parts if part.text and not part.thought),
        "calls": [
            {"id": part.function_call.id or "", "name": part.function_call.name, "args": part.function_call.args or {}}
            for part in parts
            if part.function_call
        ],
        "finish": finishes[-1].value if finishes else "",
    }
    if usages:
        usage = usages[-1]
        thoughts = usage.thoughts_token_count or 0
        output = (usage.candidates_token_count or 0) + thoughts
        said["usage"] = counted(usage.prompt_token_count, output, usage.cached_content_token_count, thoughts)
    return said


def ask(scenario, options):
    tap = Tap(options)
    client = genai.Client(
        api_key="not-sent",
        vertexai=False,
        http_options=types.HttpOptions(
            base_url=options["origin"],
            headers=tap.headers,
            httpx_client=tap.client(),
            retry_options=types.HttpRetryOptions(attempts=1 + options["retries"]),
        ),
    )
    request = {"model": options["model"], "config": config_of(scenario["ask"], options["model"])}

    def take(contents):
        if options["stream"]:
            return list(client.models.generate_content_stream(**request, contents=contents))
        return [client.models.generate_content(**request, contents=contents)]

    try:
        contents = [types.Content(role="user", parts=[types.Part(text=scenario["ask"]["user"])])]
        responses = take(contents)
        if "next" in scenario:
            # As the library's chats do it, each response of a stream is a content.
            said = [each.candidates[0].content for each in responses if each.candidates and each.candidates[0].content]
            results = [
                types.Part(
                    function_response=types.FunctionResponse(
                        id=result["id"] or None, name=result["name"], response={"output": result["text"]}
                    )
                )
                for result in results_of(said_of(responses)["calls"], scenario["next"])
            ]
            responses = take([*contents, *said, types.Content(role="user", parts=results)])
        return tap.received(said_of(responses))
    except errors.APIError as error:
        return tap.failed(error.code, error.message or "")
