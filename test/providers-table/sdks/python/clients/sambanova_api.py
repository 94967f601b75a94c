"""https://pypi.org/project/sambanova"""

from sambanova import SambaNova


def connect(place):
    return SambaNova(base_url=place["origin"] + place["base"], api_key=place["key"], max_retries=0)


def chat(place, text):
    said = [{"role": "user", "content": text}]
    return connect(place).chat.completions.create(model=place["model"], messages=said).choices[0].message.content


def completions(place, prompt):
    return connect(place).completions.create(model=place["model"], prompt=prompt).choices[0].text


def embeddings(place, text):
    answer = connect(place).embeddings.create(model=place["model"], input=text, encoding_format="float")
    return answer.data[0].embedding[0]


def messages(place, text):
    said = [{"role": "user", "content": text}]
    # Anthropic's own API wants it, and SambaNova does not.
    version = {"anthropic-version": "2023-06-01"}
    answer = connect(place).messages.create(
        model=place["model"], max_tokens=10, messages=said, extra_headers=version
    )
    return answer.content[0].text


def responses(place, text):
    return connect(place).responses.create(model=place["model"], input=text).output[0].content[0].text


def messages_count(place, text):
    said = [{"role": "user", "content": text}]
    return connect(place).messages.count_tokens(model=place["model"], messages=said).input_tokens
