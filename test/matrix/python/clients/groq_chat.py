import groq

from .chat import assistant_message, chat_request, chat_turns, said_of, said_of_chunks
from .tap import Tap


def ask(scenario, options):
    tap = Tap(options)
    client = groq.Groq(
        base_url=options["origin"],
        api_key="not-sent",
        max_retries=options["retries"],
        default_headers=tap.headers,
        http_client=tap.client(),
    )

    def take(request):
        if options["stream"]:
            more = {"extra_body": {"stream_options": {"include_usage": True}}}
            said = said_of_chunks(client.chat.completions.create(**request, **more, stream=True))
            return said, assistant_message(said)
        completion = client.chat.completions.create(**request)
        message = completion.choices[0].message.model_dump(exclude_none=True)
        return said_of(completion), message

    try:
        return tap.received(chat_turns(scenario, chat_request(scenario["ask"], options["model"]), take))
    except groq.APIStatusError as error:
        return tap.failed(error.status_code, error.message)
