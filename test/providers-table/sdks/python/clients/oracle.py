"""https://pypi.org/project/oci-openai"""

from oci_openai import OciOpenAI


def with_key(key):
    """Says who asks as keys of the service do, where the library would sign."""

    def authorize(request):
        request.headers["Authorization"] = f"Bearer {key}"
        return request

    return authorize


def connect(place):
    auth = with_key(place["key"])
    return OciOpenAI(
        auth=auth, service_endpoint=place["origin"], compartment_id="ocid1.compartment", max_retries=0
    )


def chat(place, text):
    said = [{"role": "user", "content": text}]
    return connect(place).chat.completions.create(model=place["model"], messages=said).choices[0].message.content


def responses(place, text):
    return connect(place).responses.create(model=place["model"], input=text).output_text
