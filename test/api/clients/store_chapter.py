"""What the README's chapter on the store does, with the client that openapi-python-client makes of the document."""

import json
import os

from gatewright_client import AuthenticatedClient
from gatewright_client.api.api_keys import create_workspace_key
from gatewright_client.api.batches import create_batch
from gatewright_client.api.configs import create_config
from gatewright_client.api.inference import create_chat_completion
from gatewright_client.api.prompts import complete_prompt, create_prompt
from gatewright_client.api.providers import create_provider, list_providers
from gatewright_client.models import (
    ChatRequest,
    CompletePromptRequest,
    CreateBatchRequest,
    CreateConfigRequest,
    CreatedApiKey,
    CreatePromptRequest,
    CreateProviderRequest,
    CreateWorkspaceKeyRequest,
    ProviderList,
)

base_url = os.environ["GW_BASE_URL"]
admin = AuthenticatedClient(base_url=base_url, token=os.environ["GW_ADMIN_KEY"])


def must(reply):
    assert reply.status_code == 200, reply.content
    return reply.parsed


def body(request, /, **members):
    return request.from_dict(members)


must(create_provider.sync_detailed(client=admin, body=CreateProviderRequest(name="Main", slug="main", provider="echo")))
must(
    create_prompt.sync_detailed(
        client=admin,
        body=body(
            CreatePromptRequest,
            name="Greet",
            slug="greet",
            string='[{"role":"user","content":"Greet {{name}}."}]',
            parameters={},
            virtual_key="@main",
            model="m",
        ),
    )
)
config = {"provider": "@main", "retry": {"attempts": 2}}
must(create_config.sync_detailed(client=admin, body=body(CreateConfigRequest, name="App", slug="app", config=config)))
made = must(
    create_workspace_key.sync_detailed(
        client=admin,
        body=body(CreateWorkspaceKeyRequest, name="app", workspace_id="default", scopes=["completions.write"]),
    )
)
assert isinstance(made, CreatedApiKey)

app = AuthenticatedClient(base_url=base_url, token=made.key)
messages = [{"role": "user", "content": "Hello there."}]
chat = body(ChatRequest, model="m", messages=messages)
answer = must(create_chat_completion.sync_detailed(client=app, body=chat, x_gw_config="app"))
with_config = app.with_headers({"x-gw-config": "app"})
variables = body(CompletePromptRequest, variables={"name": "Ada"})
greeting = complete_prompt.sync_detailed("greet", client=with_config, body=variables)
must(greeting)
providers = must(list_providers.sync_detailed(client=admin, page_size=10))
assert isinstance(providers, ProviderList)
batch = body(CreateBatchRequest, input_file_id="f", endpoint="/v1/chat/completions", completion_window="24h")
refused = create_batch.sync_detailed(client=app, body=batch, x_gw_virtual_key="nobody")

print(
    json.dumps(
        {
            "answer": len(answer.choices),
            "greeting": "Ada" in greeting.content.decode(),
            "providers": [each.slug for each in providers.data],
            "refused": int(refused.status_code),
        }
    )
)
