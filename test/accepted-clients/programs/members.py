from portkey_ai import Portkey

messages = [{"role": "user", "content": "Say this is a test"}]


def streamed(portkey, model):
    stream = portkey.chat.completions.create(messages=messages, model=model, stream=True)
    return "".join(chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices)


labelled = {
    "trace_id": "trace-of-the-client",
    "metadata": {"plan": "gold", "_user": "ada"},
    "debug": False,
    "cache_namespace": "tests",
    "cache_force_refresh": True,
    "request_timeout": 5000,
    "strict_open_ai_compliance": False,
}
saved = Portkey(provider="@SAVED", **labelled)
print("whole:", saved.chat.completions.create(messages=messages, model="gpt-4").choices[0].message.content)
print("streamed:", streamed(saved, "gpt-4"))

config = {
    "strategy": {
        "mode": "conditional",
        "conditions": [{"query": {"metadata.plan": {"$eq": "gold"}}, "then": "gold"}],
        "default": "other",
    },
    "retry": {"attempts": 1, "use_retry_after_header": True},
    "targets": [
        {"name": "other", "virtual_key": "VIRTUAL_KEY", "override_params": {"model": "of-the-default"}},
        {"name": "gold", "virtual_key": "VIRTUAL_KEY", "override_params": {"model": "of-the-gold-plan"}},
    ],
}
routed = Portkey(config=config, metadata={"plan": "gold"})
print("config:", routed.chat.completions.create(messages=messages, model="gpt-4").choices[0].message.content)
print("config, streamed:", streamed(routed, "gpt-4"))
print("saved config:", streamed(Portkey(config="pc-prod-1a2b"), "gpt-4"))
per_request = Portkey(virtual_key="VIRTUAL_KEY").with_options(trace_id="trace-of-the-request")
print("request:", per_request.chat.completions.create(messages=messages, model="gpt-4").choices[0].message.content)
