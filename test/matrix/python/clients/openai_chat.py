import openai

from .chat import assistant_message, chat_request, chat_turns, said_of, said_of_chunks
from .openai_client import openai_client
from .tap import Tap


def ask(scenario, options):
    tap = Tap(options)
    client = openai_client(tap, options)

    def take(request):
        if options["stream"]:
            stream = client.chat.completions.create(**request, stream=True, stream_options={"include_usage": True})
            said = said_of_chunks(stream)
            return said, assistant_message(said)
        completion = client.chat.completions.create(**request)
        return said_of(completion), completion.choices[0].message

    try:
        return tap.received(chat_turns(scenario, chat_request(scenario["ask"], options["model"]), take))
    except openai.APIStatusError as error:
        return tap.failed(error.status_code, error.message)
