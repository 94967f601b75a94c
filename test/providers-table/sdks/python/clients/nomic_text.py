"""https://pypi.org/project/nomic"""

from types import SimpleNamespace

from nomic import embed


def nomic_embeddings(place, text):
    # It would read them from what `nomic login` keeps.
    embed.atlas_class = SimpleNamespace(
        atlas_api_path=place["origin"], header={"Authorization": f"Bearer {place['key']}"}
    )
    return embed.text([text], model=place["model"])["embeddings"][0][0]
