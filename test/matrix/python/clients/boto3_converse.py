import json

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

from .tap import Tap, counted, results_of


def request_of(ask, model):
    request = {
        "modelId": model,
        "messages": [{"role": "user", "content": [{"text": ask["user"]}]}],
        "inferenceConfig": {"maxTokens": ask["maxTokens"]},
    }
    if "system" in ask:
        request["system"] = [{"text": ask["system"]}]
    if "tools" in ask:
        tools = [
            {
                "toolSpec": {
                    "name": tool["name"],
                    "description": tool["description"],
                    "inputSchema": {"json": tool["schema"]},
                }
            }
            for tool in ask["tools"]
        ]
        request["toolConfig"] = {"tools": tools}
    if "schema" in ask:
        schema = {"name": ask["schema"]["name"], "schema": json.dumps(ask["schema"]["schema"])}
        request["outputConfig"] = {"textFormat": {"type": "json_schema", "structure": {"jsonSchema": schema}}}
    if ask.get("reasoning"):
        budget = {"thinking": {"type": "enabled", "budget_tokens": 2048}}
        adaptive = {"thinking": {"type": "adaptive"}, "output_config": {"effort": "medium"}}
        request["additionalModelRequestFields"] = budget if "-4-5" in model else adaptive
    return request


def said_of(message, finish, usage):
    said = {
        "text": "".join(block.get("text", "") for block in message["content"]),
        "calls": [
            {"id": block["toolUse"]["toolUseId"], "name": block["toolUse"]["name"], "args": block["toolUse"]["input"]}
            for block in message["content"]
            if "toolUse" in block
        ],
        "finish": finish,
    }
    if usage:
        cached = usage.get("cacheReadInputTokens", 0)
        input = usage["inputTokens"] + cached + usage.get("cacheWriteInputTokens", 0)
        said["usage"] = counted(input, usage["outputTokens"], cached)
    return said


def message_of_stream(events):
    blocks, finish, usage = {}, "", None
    for event in events:
        if "contentBlockStart" in event:
            start = event["contentBlockStart"]
            tool = start.get("start", {}).get("toolUse")
            if tool:
                blocks[start["contentBlockIndex"]] = {"toolUse": {**tool, "input": ""}}
        elif "contentBlockDelta" in event:
            delta = event["contentBlockDelta"]["delta"]
            block = blocks.setdefault(event["contentBlockDelta"]["contentBlockIndex"], {})
            if "text" in delta:
                block["text"] = block.get("text", "") + delta["text"]
            elif "toolUse" in delta:
                block["toolUse"]["input"] += delta["toolUse"]["input"]
            elif "reasoningContent" in delta:
                reasoning = block.setdefault("reasoningContent", {"reasoningText": {"text": ""}})["reasoningText"]
                for name, value in delta["reasoningContent"].items():
                    reasoning[name] = reasoning.get(name, "") + value
        elif "messageStop" in event:
            finish = event["messageStop"]["stopReason"]
        elif "metadata" in event:
            usage = event["metadata"]["usage"]
    content = [blocks[index] for index in sorted(blocks)]
    for block in content:
        if "toolUse" in block:
            block["toolUse"]["input"] = json.loads(block["toolUse"]["input"] or "{}")
    return {"role": "assistant", "content": content}, finish, usage


def ask(scenario, options):
    tap = Tap(options)
    # A session of its own: those of several threads must not be shared.
    client = boto3.session.Session().client(
        "bedrock-runtime",
        endpoint_url=options["origin"],
        region_name="us-east-1",
        aws_access_key_id="AKIANOTSENT",
        aws_secret_access_key="not-sent",
        config=Config(retries={"total_max_attempts": 1 + options["retries"], "mode": "standard"}),
    )
    client.meta.events.register("before-call.bedrock-runtime", lambda params, **_: params["headers"].update(tap.headers))
    client.meta.events.register(
        "response-received.bedrock-runtime",
        lambda response_dict, **_: response_dict and tap.hear(response_dict["status_code"], response_dict["headers"]),
    )

    def take(request):
        if options["stream"]:
            return message_of_stream(client.converse_stream(**request)["stream"])
        response = client.converse(**request)
        return response["output"]["message"], response["stopReason"], response["usage"]

    try:
        request = request_of(scenario["ask"], options["model"])
        turn = take(request)
        if "next" in scenario:
            results = [
                {"toolResult": {"toolUseId": result["id"], "content": [{"text": result["text"]}]}}
                for result in results_of(said_of(*turn)["calls"], scenario["next"])
            ]
            messages = [*request["messages"], turn[0], {"role": "user", "content": results}]
            turn = take({**request, "messages": messages})
        return tap.received(said_of(*turn))
    except ClientError as error:
        status = error.response["ResponseMetadata"]["HTTPStatusCode"]
        return tap.failed(status, error.response["Error"]["Message"])
