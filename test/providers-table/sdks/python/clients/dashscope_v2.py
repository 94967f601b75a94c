"""https://pypi.org/project/dashscope: its second version speaks further protocols beside the vendor's own."""

from dashscope.v2 import Client
from dashscope.v2._config import PROTOCOL_DEFAULT_PATHS


def ask(place, protocol, text, **parameters):
    client = Client(
        api_key=place["key"],
        base_url=place["origin"] + PROTOCOL_DEFAULT_PATHS[protocol],
        protocol=protocol,
        max_retries=0,
    )
    said = [{"role": "user", "content": text}]
    answer = client.chat.completions.create(model=place["model"], messages=said, **parameters)
    return answer.choices[0].message.content


def chat(place, text):
    return ask(place, "openai", text)


def messages(place, text):
    return ask(place, "anthropic", text, max_tokens=10)
