"""https://pypi.org/project/novita"""

from novita_cli.core import client as novita


def connect(place):
    novita.OPENAI_BASE = place["origin"] + place["base"]
    return novita.NovitaClient(api_key=place["key"])


def chat(place, text):
    answer = connect(place).chat_completion(model=place["model"], messages=[{"role": "user", "content": text}])
    return answer["choices"][0]["message"]["content"]


def completions(place, prompt):
    return connect(place).completion(model=place["model"], prompt=prompt)["choices"][0]["text"]


def embeddings(place, text):
    answer = connect(place).embeddings(model=place["model"], input=text, encoding_format="float")
    return answer["data"][0]["embedding"][0]
