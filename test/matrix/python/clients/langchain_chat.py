import openai
from langchain_openai import ChatOpenAI

from .chat import chat_request
from .langchain import turns
from .tap import Tap


def ask(scenario, options):
    tap = Tap(options)
    asked = scenario["ask"]
    request = chat_request(asked, options["model"])
    model = ChatOpenAI(
        base_url=f"{options['origin']}/v1",
        api_key="not-sent",
        model=options["model"],
        max_retries=options["retries"],
        max_completion_tokens=asked["maxTokens"],
        default_headers=tap.headers,
        http_client=tap.client(),
        use_responses_api=False,
        stream_usage=True,
        **({"reasoning_effort": "medium"} if asked.get("reasoning") else {}),
    )
    if "tools" in request:
        model = model.bind_tools(request["tools"])
    if "response_format" in request:
        model = model.bind(response_format=request["response_format"])
    try:
        return tap.received(turns(scenario, model, options["stream"]))
    except openai.APIStatusError as error:
        return tap.failed(error.status_code, error.message)
