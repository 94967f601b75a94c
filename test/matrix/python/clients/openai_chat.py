import openai

from .chat import assistant_message, chat_request, chat_turns, said_of, said_of_chunks
from .tap import Tap


def ask(scenario, options):
    tap = Tap(options)
    client = openai.OpenAI(
        base_url=f"{options['origin']}/v1",
        api_key="not-sent",
        max_retries=options["retries"],
        default_headers=tap.headers,
        http_client=tap.client(),
    )

    def take(request):
        if options["stream"]:
            stream = client.chat.completions.create(**request, stream=True, stream_options={"include_usage": True})
            said = said_of_chunks(stream)
            return said, assistant_message(said)
        completion = client.chat.completions.create(**request)
        return said_of(completion), completion.choices[0].message

    try:
        return tap.told(chat_turns(scenario, chat_request(scenario["ask"], options["model"]), take))
    except openai.APIStatusError as error:
        return tap.failed(error.status_code, error.message)
