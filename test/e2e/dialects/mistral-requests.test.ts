import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import { anthropicAnswer } from '../../support/vendors/anthropic-wire.ts';
import { gatewayAndUpstream } from '../support/gateway-and-upstream.ts';

const world = gatewayAndUpstream();

/** Returns the body that Anthropic gets for a chat, which is a text because its numbers matter. */
const sentFor = async (members: string): Promise<{ readonly text: string; readonly json: JsonObject }> => {
  world.upstream.handle((call) => call.json(anthropicAnswer({ text: 'Hello.' })));
  const config = { provider: 'anthropic', api_key: 'k', custom_host: `${world.upstream.origin}/v1` };
  const answer = await fetch(`${world.gateway.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': JSON.stringify(config) },
    body: `{"model":"claude-opus-4","max_tokens":9,${members}}`,
  });
  expect([answer.status, await answer.text()]).toMatchObject([200, expect.stringContaining('Hello.')]);
  const sent = world.upstream.requests.at(-1);
  return { text: sent?.text() ?? '', json: (sent?.json() ?? {}) as JsonObject };
};

const user = '{"role":"user","content":"Hi"}';
const tools = '"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]';

describe("a request in the form of Mistral's client, for a provider of another format", () => {
  it('has arguments that are an object, with all of their digits', async () => {
    const call = '{"id":"abcdefghi","function":{"name":"f","arguments":{"id":9007199254740993}}}';
    const { text } = await sentFor(
      `${tools},"messages":[${user},{"role":"assistant","content":"","tool_calls":[${call}]},` +
        '{"role":"tool","name":"f","tool_call_id":"abcdefghi","content":"Found."}]',
    );
    expect(text).toContain('"input":{"id":9007199254740993}');
  });

  it('requires a call by its own word', async () => {
    const { json } = await sentFor(`${tools},"tool_choice":"any","messages":[${user}]`);
    expect(json.tool_choice).toEqual({ type: 'any' });
  });

  it('has thinking that is a list of texts', async () => {
    const thinking = '{"type":"thinking","thinking":[{"type":"text","text":"Hm."}],"closed":true}';
    const { json } = await sentFor(
      `"messages":[${user},{"role":"assistant","content":[${thinking},{"type":"text","text":"Yes."}]},${user}]`,
    );
    expect(JSON.stringify(json.messages)).toContain('"text":"Yes."');
  });

  it('has a document at an address', async () => {
    const url = 'https://files.example/a.pdf';
    const document = `{"type":"document_url","document_url":"${url}","document_name":"a.pdf"}`;
    const { json } = await sentFor(
      `"messages":[{"role":"user","content":[{"type":"text","text":"Read."},${document}]}]`,
    );
    expect(json.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Read.' },
          { type: 'document', source: { type: 'url', url }, title: 'a.pdf' },
        ],
      },
    ]);
  });
});
