import litellm
import openai

from .chat import assistant_message, chat_request, chat_turns, said_of, said_of_chunks
from .openai_client import openai_client
from .tap import Tap

litellm.suppress_debug_info = True


def ask(scenario, options):
    tap = Tap(options)
    client = openai_client(tap, options)

    def take(request):
        # Else it decides by names of models what it sends.
        more = {"client": client, "allowed_openai_params": ["reasoning_effort"], "max_retries": options["retries"]}
        request = {**request, **more, "model": f"openai/{request['model']}"}
        if options["stream"]:
            said = said_of_chunks(litellm.completion(**request, stream=True, stream_options={"include_usage": True}))
            return said, assistant_message(said)
        completion = litellm.completion(**request)
        return said_of(completion), completion.choices[0].message

    try:
        return tap.received(chat_turns(scenario, chat_request(scenario["ask"], options["model"]), take))
    except openai.APIStatusError as error:
        return tap.failed(error.status_code, str(error))
