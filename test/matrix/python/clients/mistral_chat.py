import json

from mistralai.client import Mistral
from mistralai.client.errors import MistralError
from mistralai.client.utils import BackoffStrategy, RetryConfig

from .chat import assistant_message, chat_request, chat_turns, said_of, said_of_chunks
from .tap import Tap


def ask(scenario, options):
    tap = Tap(options)
    # It waits as long as the answer says, and else from half a second on.
    retries = RetryConfig("backoff", BackoffStrategy(500, 1000, 2, 3000), True) if options["retries"] else None
    client = Mistral(server_url=options["origin"], api_key="not-sent", client=tap.client(), retry_config=retries)
    more = {"http_headers": tap.headers}

    def take(request):
        if options["stream"]:
            said = said_of_chunks(event.data for event in client.chat.stream(**request, **more))
            return said, assistant_message(said)
        completion = client.chat.complete(**request, **more)
        return said_of(completion), completion.choices[0].message

    request = chat_request(scenario["ask"], options["model"])
    request["max_tokens"] = request.pop("max_completion_tokens")
    try:
        return tap.received(chat_turns(scenario, request, take))
    except MistralError as error:
        return tap.failed(error.status_code, json.dumps(error.body))
