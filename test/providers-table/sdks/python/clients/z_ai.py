"""https://pypi.org/project/zai-sdk"""

from zai import ZaiClient

from .zhipu_like import ask_chat, ask_images, ask_transcription


def connect(place):
    return ZaiClient(base_url=place["origin"] + place["base"], api_key=place["key"], max_retries=0)


def chat(place, text):
    return ask_chat(connect(place), place["model"], text)


def images(place, text):
    return ask_images(connect(place), place["model"], text)


def transcriptions(place, text):
    return ask_transcription(connect(place), place["model"], text)
