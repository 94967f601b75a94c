"""https://pypi.org/project/krutrim-cloud"""

from krutrim_cloud import KrutrimCloud


def chat(place, text):
    completions = KrutrimCloud(base_url=place["origin"], api_key=place["key"], max_retries=0).chat.completions
    # It refuses models that are not in its list.
    completions.supported_models = [place["model"]]
    answer = completions.create(model=place["model"], messages=[{"role": "user", "content": text}])
    return answer.choices[0].message.content
