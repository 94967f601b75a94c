"""The client of OpenAI's library, which another library may be given."""

import openai


def openai_client(tap, options):
    return openai.OpenAI(
        base_url=f"{options['origin']}/v1",
        api_key="not-sent",
        max_retries=options["retries"],
        default_headers=tap.headers,
        http_client=tap.client(),
    )
