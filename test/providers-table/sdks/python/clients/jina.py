"""https://pypi.org/project/jina-cli"""

from jina_cli import api


def rerank(place, query):
    api.API_BASE = place["origin"]
    return api.rerank(query, ["one"], api_key=place["key"], model=place["model"])[0]["relevance_score"]
