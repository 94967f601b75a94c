import { describe, expect, it } from 'vitest';
import { anthropic } from '../../../../../plugins/providers/anthropic.ts';
import { headerValue } from '../../../../../plugins/sdk/http/http.ts';
import { definePlugin } from '../../../../../plugins/sdk/plugin/plugin.ts';
import { defineProvider } from '../../../../../plugins/sdk/provider/provider.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { runConfig, toJson } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';

/** A provider whose bound values belong to a credential, which is the default. */
const { stateScope: _, ...row } = anthropic;
const plugins = [definePlugin({ name: 'maker', providers: [{ ...row, id: 'maker' }] })];
const claude = { provider: 'maker', api_key: '${env:KEY}' };
const other = { provider: 'maker', api_key: '${env:OTHER}' };
const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'made-by-claude' };
const answer = {
  id: 'a',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  content: [thinking, { type: 'text', text: 'oui' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 1 },
};

const messagesRoute = { operation: 'converse', dialect: 'messages' } as const;

/** Returns the text of a messages request whose earlier turn has this signature. */
const turnsWith = (signature: string): string => `{ "model": "m", "max_tokens": 9.0,
  "messages": [{"role": "user", "content": "hi"},
    {"role": "assistant", "content": [{"type": "thinking", "thinking": "Hm.", "signature": "${signature}"}, {"type": "text", "text": "oui"}]},
    {"role": "user", "content": "and?"}] }`;

const send = async (text: string, config: JsonObject) => {
  const { handle, upstreams } = runConfig(config, { upstream: () => stubAnswer(answer), plugins });
  const params = JSON.parse(text);
  const response = await handle(
    sampleExchange(params, {
      route: messagesRoute,
      request: { method: 'POST', path: '/messages', headers: [], body: { kind: 'bytes', bytes: Buffer.from(text) } },
    }),
  );
  const body = upstreams.requests[0]?.body;
  return {
    sent: body?.kind === 'bytes' ? Buffer.from(body.bytes).toString() : '',
    dropped: headerValue(response.headers, 'x-gw-dropped-params'),
    answer: toJson(response),
  };
};

/** Returns the signature in the form that a client of another dialect receives. */
const taggedBy = async (config: JsonObject): Promise<string> => {
  const { handle } = runConfig(
    { ...config, strict_llmv_compliance: false },
    { upstream: () => stubAnswer(answer), plugins },
  );
  const text = JSON.stringify(
    toJson(await handle(sampleExchange({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }))),
  );
  const [tag] = /gw1\.[^"]+/.exec(text) ?? [];
  if (tag === undefined) throw new Error(`No tag in ${text}`);
  return tag;
};

describe('a bound value', () => {
  it('without a scope is sent on with the bytes of its request', async () => {
    const text = turnsWith('native');
    expect(await send(text, claude)).toEqual({ sent: text, dropped: undefined, answer });
  });

  it('is restored for the credential that it belongs to', async () => {
    const tag = await taggedBy(claude);
    expect(tag).toMatch(/^gw1\.[\w-]+\.made-by-claude$/);
    const { sent, dropped, answer: same } = await send(turnsWith(tag), claude);
    expect(JSON.parse(sent).messages[1].content[0]).toEqual(thinking);
    expect(sent).not.toContain('gw1.');
    expect(dropped).toBeUndefined();
    // The answer remains in the client's own dialect.
    expect(same).toEqual(answer);
  });

  it('of another credential is dropped, and the loss is reported', async () => {
    const { sent, dropped } = await send(turnsWith(await taggedBy(other)), claude);
    expect(sent).not.toContain('made-by-claude');
    expect(JSON.parse(sent)).toMatchObject({ model: 'm', max_tokens: 9 });
    expect(dropped).toContain('turns[1].parts[0]');
  });

  it('of Claude is accepted by Anthropic with any credential', async () => {
    const [one, two] = ['KEY', 'OTHER'].map((name) => ({ provider: 'anthropic', api_key: `\${env:${name}}` }));
    if (one === undefined || two === undefined) throw expect.unreachable();
    const { sent, dropped } = await send(turnsWith(await taggedBy(two)), one);
    expect(JSON.parse(sent).messages[1].content[0]).toEqual(thinking);
    expect(dropped).toBeUndefined();
  });

  it('of another credential does not cause one without a scope to be dropped', async () => {
    const both = turnsWith(await taggedBy(other)).replace(
      '{"type": "text"',
      '{"type": "thinking", "thinking": "So.", "signature": "native"}, {"type": "text"',
    );
    const { sent } = await send(both, claude);
    expect(sent).toContain('"signature":"native"');
    expect(sent).not.toContain('made-by-claude');
  });

  it.each(['"what is gw1.x?"', '"what is \\"gw1.x\\" and \\"gw1.y?"'])(
    'is not recognised in a text such as %s',
    async (content) => {
      const text = turnsWith('native').replace('"and?"', content);
      expect((await send(text, claude)).sent).toBe(text);
    },
  );

  it('does not change how the rest of its request is sent in its own dialect', async () => {
    const text = turnsWith(await taggedBy(other)).replace('{ "model"', '{ "top_k": 5, "model"');
    const provider = defineProvider({ ...anthropic, id: 'like-anthropic', drop: ['top_k'], aliases: [] });
    const plugins = [definePlugin({ name: 'like', providers: [provider] })];
    const config = { provider: 'like-anthropic', api_key: '${env:KEY}' };
    const { handle, upstreams } = runConfig(config, { upstream: () => stubAnswer(answer), plugins });
    const headers = ['Anthropic-Beta', 'one'];
    const body = { kind: 'bytes', bytes: Buffer.from(text) } as const;
    await handle(
      sampleExchange(JSON.parse(text), {
        route: messagesRoute,
        request: { method: 'POST', path: '/messages', headers, body },
      }),
    );
    const [request] = upstreams.requests;
    expect(headerValue(request?.headers ?? [], 'anthropic-beta')).toBe('one');
    expect(request?.body.kind === 'bytes' ? Buffer.from(request.body.bytes).toString() : '').toContain('"top_k":5');
  });

  it('is restored in a request with overrides too', async () => {
    const config = { ...claude, override_params: { model: 'over' } };
    const { sent } = await send(turnsWith(await taggedBy(claude)), config);
    expect(JSON.parse(sent)).toMatchObject({ model: 'over' });
    expect(sent).toContain('"signature":"made-by-claude"');
  });
});
