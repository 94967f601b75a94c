"""What the models of Pydantic AI have in common."""

import asyncio

from pydantic_ai import direct
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelRequest, SystemPromptPart, TextPart, ToolCallPart, ToolReturnPart, UserPromptPart
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.tools import ToolDefinition

from .tap import counted, results_of


def parameters_of(ask):
    parameters = {}
    if "tools" in ask:
        parameters["function_tools"] = [
            # Else it closes the objects of the schema.
            ToolDefinition(
                name=tool["name"], description=tool["description"], parameters_json_schema=tool["schema"], strict=False
            )
            for tool in ask["tools"]
        ]
    if "schema" in ask:
        parameters["output_mode"] = "native"
        parameters["output_object"] = OutputObjectDefinition(
            name=ask["schema"]["name"], json_schema=ask["schema"]["schema"], strict=True
        )
    return ModelRequestParameters(**parameters)


def said_of(response):
    usage = response.usage
    return {
        "text": "".join(part.content for part in response.parts if isinstance(part, TextPart)),
        "calls": [
            {"id": part.tool_call_id, "name": part.tool_name, "args": part.args_as_dict()}
            for part in response.parts
            if isinstance(part, ToolCallPart)
        ],
        "finish": response.finish_reason or "",
        "usage": counted(
            usage.input_tokens, usage.output_tokens, usage.cache_read_tokens, usage.details.get("reasoning_tokens")
        ),
    }


def ask_model(scenario, options, tap, model, settings):
    ask = scenario["ask"]
    parameters = parameters_of(ask)
    settings = {"max_tokens": ask["maxTokens"], **settings}

    async def take(messages):
        more = {"model_settings": settings, "model_request_parameters": parameters}
        if not options["stream"]:
            return await direct.model_request(model, messages, **more)
        async with direct.model_request_stream(model, messages, **more) as stream:
            async for _ in stream:
                pass
            return stream.get()

    async def turns():
        system = [SystemPromptPart(ask["system"])] if "system" in ask else []
        messages = [ModelRequest(parts=[*system, UserPromptPart(ask["user"])])]
        response = await take(messages)
        if "next" in scenario:
            results = [
                ToolReturnPart(tool_name=result["name"], content=result["text"], tool_call_id=result["id"])
                for result in results_of(said_of(response)["calls"], scenario["next"])
            ]
            response = await take([*messages, response, ModelRequest(parts=results)])
        return said_of(response)

    try:
        return tap.received(asyncio.run(turns()))
    except ModelHTTPError as error:
        return tap.failed(error.status_code, str(error.body))
