"""https://pypi.org/project/fireworks-ai"""

from fireworks import Fireworks


def connect(place):
    return Fireworks(base_url=place["origin"] + "/inference", api_key=place["key"], max_retries=0)


def chat(place, text):
    messages = [{"role": "user", "content": text}]
    return connect(place).chat.completions.create(model=place["model"], messages=messages).choices[0].message.content


def completions(place, prompt):
    return connect(place).completions.create(model=place["model"], prompt=prompt).choices[0].text
