"""https://pypi.org/project/oci-openai"""

import httpx
from oci_openai import OciOpenAI


class Bearer(httpx.Auth):
    """Says who asks as keys of the service do, where the library would sign."""

    def __init__(self, key):
        self.key = key

    def auth_flow(self, request):
        request.headers["Authorization"] = f"Bearer {self.key}"
        yield request


def connect(place):
    return OciOpenAI(
        auth=Bearer(place["key"]), service_endpoint=place["origin"], compartment_id="ocid1.compartment", max_retries=0
    )


def chat(place, text):
    messages = [{"role": "user", "content": text}]
    return connect(place).chat.completions.create(model=place["model"], messages=messages).choices[0].message.content


def responses(place, text):
    return connect(place).responses.create(model=place["model"], input=text).output_text
