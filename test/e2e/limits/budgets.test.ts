import OpenAI from 'openai';
import { describe, expect, it, vi } from 'vitest';
import { control } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import { asked, makePolicy, readUsed, sharedLimited, toSum } from './support/limited-gateway.ts';

const limited = sharedLimited();

const limitHeaders = (headers: Headers): readonly string[] =>
  [...headers.keys()].filter((name) => name.startsWith('x-ratelimit-') || name === 'x-should-retry');

describe('a budget', () => {
  it('of tokens admits the request that exceeds it, refuses the next one with 412, and counts the actual usage', async () => {
    const { gateway, key, upstream } = await limited();
    const policy = await makePolicy(gateway, 'usage-limits', { name: 'Small', type: 'tokens', credit_limit: 100 });
    const first = await asked(gateway, { input: 60, output: 39 }, key);
    expect([first.status, limitHeaders(first.headers)]).toEqual([200, []]);
    expect((await asked(gateway, { input: 500, output: 500 }, key)).status).toBe(200);
    const refused = await asked(gateway, { input: 1, output: 1 }, key);
    expect([refused.status, refused.code]).toEqual([412, 'usage-exhausted']);
    expect(refused.text).toContain('The usage limit \\"Small\\" is reached');
    expect(refused.headers.get('x-should-retry')).toBe('false');
    expect(refused.headers.get('retry-after')).toBe(null);
    // opencode and LiteLLM would retry after a rate_limit_error.
    expect(refused.text).toContain('"type":"invalid_request_error"');
    expect(upstream.requests).toHaveLength(2);
    await vi.waitFor(async () => expect(await toSum(gateway, policy)).toBe(1099), patience);
  });

  it('of cost is charged the cost of attempts, separately for each label value', async () => {
    const { gateway, key } = await limited();
    const policy = await makePolicy(gateway, 'usage-limits', {
      ...{ type: 'cost', credit_limit: 0.0001, group_by: [{ key: 'metadata._user' }] },
    });
    const by = (user: string) => asked(gateway, { input: 50, output: 50 }, { ...key, metadata: { _user: user } });
    expect((await by('alice')).status).toBe(200);
    const refused = await by('alice');
    expect([refused.status, refused.text]).toEqual([
      412,
      expect.stringContaining(String.raw`for _user \"alice\" is reached: it allows $0.0001`),
    ]);
    expect((await by('bob, and others')).status).toBe(200);
    const used = { 'metadata._user:alice': 0.0001, 'metadata._user:bob\\, and others': 0.0001 };
    await vi.waitFor(async () => expect(await readUsed(gateway, policy)).toEqual(used), patience);
  });

  it('reserved by other requests is refused with a short wait, and granted when the client retries', async () => {
    const { gateway, key, upstream } = await limited();
    await makePolicy(gateway, 'usage-limits', { name: 'Shared', type: 'tokens', credit_limit: 1000 });
    expect((await asked(gateway, { input: 60, output: 20 }, key)).status).toBe(200);
    const answers: (() => void)[] = [];
    const completion = openaiAnswer({ text: 'Hello!' });
    upstream.handle((call) => void answers.push(() => call.json(completion)));
    const held = asked(gateway, {}, { ...key, maxTokens: 5000 });
    await vi.waitFor(() => expect(answers).toHaveLength(1), patience);
    const refused = await asked(gateway, {}, key);
    expect([refused.status, refused.code]).toEqual([429, 'limit-reserved']);
    expect(refused.text).toContain('it allows 1000 tokens, of which 80 tokens are used');
    expect([refused.headers.get('retry-after'), refused.headers.get('x-should-retry')]).toEqual(['1', null]);
    const client = new OpenAI({
      ...{ apiKey: 'unused', baseURL: gateway.baseUrl, maxRetries: 100 },
      defaultHeaders: { authorization: null, 'x-gw-api-key': key.key, 'x-gw-provider': '@main' },
      async fetch(...call) {
        const answer = await fetch(...call);
        // The first refusal lets the other request end.
        if (answer.status === 429) for (const end of answers.splice(0)) end();
        return answer;
      },
    });
    upstream.handle((call) => call.json(completion));
    const { choices } = await client.chat.completions.create({
      ...{ model: 'priced', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] },
    });
    expect(choices[0]?.message.content).toBe('Hello!');
    expect((await held).status).toBe(200);
  });

  it('refuses only requests that generate, whether it is grouped by the request or by the target', async () => {
    for (const group of ['workspace_id', 'virtual_key']) {
      const { gateway, key, upstream } = await limited();
      await makePolicy(gateway, 'usage-limits', {
        ...{ type: 'tokens', credit_limit: 10, if_unknown: 'refuse', group_by: [{ key: group }] },
      });
      expect((await asked(gateway, { input: 10 }, key)).status).toBe(200);
      expect((await asked(gateway, {}, key)).status).toBe(412);
      upstream.handle((call) => call.json({ id: 'x', object: 'list', data: [] }));
      const ofAccount = /^\/(?:batches|fine_tuning)/;
      const readStatus = async (line: string): Promise<number> => {
        const [method = '', path = ''] = line.split(' ');
        const answer = await fetch(`${gateway.baseUrl}${path}`, {
          method,
          headers: {
            ...{ 'content-type': 'application/json', 'x-gw-api-key': key.key },
            ...(ofAccount.test(path) ? { 'x-gw-virtual-key': 'main' } : { 'x-gw-provider': '@main' }),
          },
          ...(method === 'POST' ? { body: '{"model":"priced","input":"Hi","prompt":"Hi","messages":[]}' } : {}),
        });
        await answer.text();
        return answer.status;
      };
      const begun = ['/chat/completions', '/embeddings', '/responses', '/images/generations', '/something/new'];
      for (const path of begun) expect(await readStatus(`POST ${path}`), path).toBe(412);
      const free = [
        ...['GET /models', 'GET /models/m', 'GET /batches', 'GET /fine_tuning/jobs', 'GET /something'],
        ...['POST /responses/input_tokens', 'POST /uploads', 'POST /videos/v/cancel'],
      ];
      for (const line of free) expect(await readStatus(line), line).toBe(200);
    }
  });

  it('can be reset for one value', async () => {
    const { gateway, key } = await limited();
    const policy = await makePolicy(gateway, 'usage-limits', { type: 'tokens', credit_limit: 10 });
    await asked(gateway, { input: 10, output: 0 }, key);
    expect((await asked(gateway, {}, key)).status).toBe(412);
    await vi.waitFor(async () => expect(await toSum(gateway, policy)).toBe(10), patience);
    const { data } = await control(gateway, `GET /policies/usage-limits/${policy}/entities`);
    const [entity] = Array.isArray(data) ? data : [];
    await control(gateway, `PUT /policies/usage-limits/${policy}/entities/${entity?.id}/reset`);
    await vi.waitFor(async () => expect(await toSum(gateway, policy)).toBe(0), patience);
    expect((await asked(gateway, { input: 1, output: 1 }, key)).status).toBe(200);
    await vi.waitFor(async () => expect(await toSum(gateway, policy)).toBe(2), patience);
  });
});
