"""What the gateway's answers say in their headers, and what a cell tells of a library's result."""

import httpx


class Tap:
    def __init__(self, options):
        self.headers = dict(options["headers"])
        self.dropped = []
        self.waits = []

    def hear(self, status, headers):
        text = headers.get("x-gw-dropped-params") or ""
        self.dropped = [name.strip() for name in text.split(",") if name.strip()]
        if status == 429:
            self.waits.append(headers.get("retry-after") or "")

    def client(self, package=httpx, **more):
        def on_response(response):
            self.hear(response.status_code, response.headers)

        return package.Client(event_hooks={"response": [on_response]}, **more)

    def async_client(self, package=httpx, **more):
        async def on_response(response):
            self.hear(response.status_code, response.headers)

        return package.AsyncClient(event_hooks={"response": [on_response]}, **more)

    def received(self, said):
        nothing = {"text": "", "reasoning": "", "calls": [], "refusal": "", "finish": ""}
        return {**nothing, **said, "dropped": self.dropped, "waits": self.waits}

    def failed(self, status, message):
        return self.received({"error": {"status": status, "message": message}})


def counted(input, output, cached=0, reasoning=0):
    """The counts without those that are zero or not told."""
    counts = {"input": input or 0, "output": output or 0}
    if cached:
        counts["cached"] = cached
    if reasoning:
        counts["reasoning"] = reasoning
    return counts


def results_of(calls, next):
    """What the tools gave, with the calls as the library knows them."""
    return [{"id": call["id"], "name": call["name"], "text": text} for call, text in zip(calls, next["results"])]
