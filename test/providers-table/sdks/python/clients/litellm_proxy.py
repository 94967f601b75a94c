"""https://pypi.org/project/litellm, as it asks the proxy of the same package."""

import os

# It would load its prices from the network.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import litellm  # noqa: E402


def at(place):
    return {
        "model": f"litellm_proxy/{place['model']}",
        "api_base": place["origin"] + place["base"],
        "api_key": place["key"],
        "max_retries": 0,
    }


def chat(place, text):
    return litellm.completion(**at(place), messages=[{"role": "user", "content": text}]).choices[0].message.content


def embeddings(place, text):
    return litellm.embedding(**at(place), input=text, encoding_format="float").data[0]["embedding"][0]


def responses(place, text):
    return litellm.responses(**at(place), input=text).output[0].content[0].text


def rerank(place, query):
    # It writes the version into the path itself.
    root = {**at(place), "api_base": place["origin"]}
    return litellm.rerank(**root, query=query, documents=["one"]).results[0]["relevance_score"]


def images(place, prompt):
    image = litellm.image_generation(**at(place), prompt=prompt).data[0]
    return image.b64_json or image.url
