"""https://pypi.org/project/zai-sdk, as it asks the service in China."""

from zai import ZhipuAiClient

from .zhipu_like import ask_chat, ask_images, ask_transcription


def connect(place):
    return ZhipuAiClient(base_url=place["origin"] + place["base"], api_key=place["key"], max_retries=0)


def chat(place, text):
    return ask_chat(connect(place), place["model"], text)


def embeddings(place, text):
    answer = connect(place).embeddings.create(model=place["model"], input=text, encoding_format="float")
    return answer.data[0].embedding[0]


def images(place, text):
    return ask_images(connect(place), place["model"], text)


def transcriptions(place, text):
    return ask_transcription(connect(place), place["model"], text)


def speech(place, text):
    return connect(place).audio.speech(model=place["model"], input=text, voice="alloy").content.decode()
