import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { control, makeKey } from '../../support/gateways/stored-gateway.ts';
import { asked, makePolicy, sharedLimited } from './support/limited-gateway.ts';

const limited = sharedLimited();

const dayMs = 86_400_000;

/** Returns the whole seconds until the end of the day. Daily counters restart at midnight UTC. */
const secondsLeft = (): number => Math.ceil((Math.ceil(Date.now() / dayMs) * dayMs - Date.now()) / 1000);

const byKey = (key: string): readonly object[] => [{ key: 'api_key', value: key }];

const limits = (headers: Headers): Readonly<Record<string, string>> =>
  Object.fromEntries([...headers].filter(([name]) => /^(x-ratelimit-|x-should-retry|retry-after)/.test(name)));

it('refuses requests that exceed a rate limit with 429, and sets headers that say when to retry', async () => {
  const { gateway, key, upstream } = await limited();
  await makePolicy(gateway, 'rate-limits', { name: 'Daily', type: 'requests', unit: 'rpd', value: 2 });
  for (let at = 0; at < 2; at += 1) {
    const answer = await asked(gateway, {}, key);
    expect([answer.status, limits(answer.headers)]).toEqual([200, {}]);
  }
  const most = secondsLeft();
  const refused = await asked(gateway, {}, key);
  const least = secondsLeft();
  expect([refused.status, refused.code]).toEqual([429, 'rate-limited']);
  expect(JSON.parse(refused.text).error).toMatchObject({
    type: 'rate_limit_error',
    message: expect.stringMatching(
      /^The rate limit "Daily" is reached: it allows 2 requests a day\. It resets at \d{4}-\d\d-\d\dT00:00:00Z\.$/,
    ),
  });
  const { 'retry-after': wait, 'x-ratelimit-reset-requests': reset, ...rest } = limits(refused.headers);
  expect(Number(wait)).toBeGreaterThanOrEqual(least);
  expect(Number(wait)).toBeLessThanOrEqual(most);
  expect(reset).toBe(wait);
  expect(rest).toEqual({
    'x-ratelimit-limit-requests': '2',
    'x-ratelimit-remaining-requests': '0',
    ...(Number(wait) > 60 ? { 'x-should-retry': 'false' } : {}),
  });
  expect(upstream.requests).toHaveLength(2);
});

it('counts tokens, and reports in headers how many remain', async () => {
  const { gateway, key } = await limited();
  await makePolicy(gateway, 'rate-limits', { type: 'tokens', unit: 'rpd', value: 100 });
  expect((await asked(gateway, { input: 70, output: 50 }, key)).status).toBe(200);
  const { status, headers } = await asked(gateway, {}, key);
  expect([status, limits(headers)]).toMatchObject([
    429,
    { 'x-ratelimit-limit-tokens': '100', 'x-ratelimit-remaining-tokens': '0' },
  ]);
});

it('falls back if a target has reached its limit, fails if the request has, and never retries', async () => {
  const { gateway, upstream } = await limited();
  const [one, other] = [await makeKey(gateway, 'one'), await makeKey(gateway, 'other')];
  const retry = { attempts: 3, on_status_codes: [412, 429, 503] };
  const config = {
    strategy: { mode: 'fallback' },
    retry,
    targets: ['first', 'second'].map((model) => ({ provider: '@main', override_params: { model } })),
  };
  const rate = { type: 'requests', unit: 'rpd', value: 1 };
  await makePolicy(gateway, 'rate-limits', {
    ...rate,
    conditions: [...byKey(one.id), { key: 'model', value: 'first' }],
    group_by: [{ key: 'model' }],
  });
  const models = (): readonly string[] => upstream.requests.map(({ body }) => JSON.parse(body.toString()).model);
  expect((await asked(gateway, {}, { ...one, config })).status).toBe(200);
  const rescued = await asked(gateway, {}, { ...one, config });
  expect([rescued.status, rescued.headers.get('x-gw-retry-attempt-count')]).toEqual([200, '0']);
  expect(models()).toEqual(['first', 'second']);

  await makePolicy(gateway, 'rate-limits', { ...rate, conditions: byKey(other.id), group_by: [{ key: 'api_key' }] });
  expect((await asked(gateway, {}, { ...other, config })).status).toBe(200);
  const ended = await asked(gateway, {}, { ...other, config });
  expect([ended.status, ended.headers.get('x-gw-last-used-option-index')]).toEqual([429, null]);
  expect(models()).toEqual(['first', 'second', 'first']);

  const alone = { provider: '@main', override_params: { model: 'first' }, retry };
  const refused = await asked(gateway, {}, { ...one, config: alone });
  expect([refused.status, refused.headers.get('x-gw-retry-attempt-count')]).toEqual([429, '0']);
  expect(upstream.requests).toHaveLength(3);
});

it('makes the official client give up immediately if it would have to wait longer than a minute', async () => {
  const { gateway, key, upstream } = await limited();
  await control(gateway, `PUT /api-keys/${key.id}`, {
    body: { usage_limits: { credit_limit: 1, type: 'tokens' } },
  });
  let calls = 0;
  const client = new OpenAI({
    ...{ baseURL: gateway.baseUrl, apiKey: 'unused', maxRetries: 4 },
    defaultHeaders: { 'x-gw-api-key': key.key, 'x-gw-provider': '@main' },
    fetch: (...call) => {
      calls += 1;
      return fetch(...call);
    },
  });
  const send = () =>
    client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: '{"input":1}' }] });
  await send();
  expect(calls).toBe(1);
  await expect(send()).rejects.toMatchObject({ status: 412, code: 'usage-exhausted' });
  await control(gateway, `PUT /api-keys/${key.id}`, {
    body: { usage_limits: null, rate_limits: [{ type: 'requests', unit: 'rpw', value: 0 }] },
  });
  await expect(send()).rejects.toMatchObject({ status: 429, code: 'rate-limited' });
  expect(calls).toBe(3);
  expect(upstream.requests).toHaveLength(1);
});

it('rejects a body whose model it cannot read, but another parser could', async () => {
  const { gateway, key, upstream } = await limited();
  await makePolicy(gateway, 'rate-limits', {
    ...{ type: 'requests', unit: 'rpd', value: 0 },
    ...{ conditions: [{ key: 'model', value: 'priced' }], group_by: [{ key: 'model' }] },
  });
  const text = JSON.stringify({ model: 'priced', messages: [{ role: 'user', content: '{}' }] });
  const headers = { 'content-type': 'application/json', 'x-gw-api-key': key.key, 'x-gw-provider': '@main' };
  const send = async (body: string | Buffer): Promise<unknown> => {
    const answer = await fetch(`${gateway.baseUrl}/chat/completions`, { method: 'POST', headers, body });
    const { error } = (await answer.json()) as { readonly error?: { readonly code?: string } };
    return [answer.status, error?.code];
  };
  expect(await send(text)).toEqual([429, 'rate-limited']);
  expect(await send(`\ufeff${text}`)).toEqual([400, 'malformed-body']);
  expect(await send(Buffer.from(text, 'utf16le'))).toEqual([400, 'malformed-body']);
  expect(upstream.requests).toHaveLength(0);
});

describe('a policy that limits a model', () => {
  const file = new Blob(['x'.repeat(200_000)]);
  const toForm = (...fields: readonly (readonly [name: string, value: string | Blob])[]): FormData => {
    const form = new FormData();
    for (const [name, value] of fields) form.append(name, value);
    return form;
  };

  const withPolicy = async () => {
    const served = await limited();
    await makePolicy(served.gateway, 'rate-limits', {
      ...{ type: 'requests', unit: 'rpd', value: 1 },
      ...{ conditions: [{ key: 'model', value: 'whisper-*' }], group_by: [{ key: 'model' }] },
    });
    const { gateway, key } = served;
    const send = async (
      body: FormData | string,
      type?: string,
      path = '/audio/transcriptions',
    ): Promise<readonly [number, string]> => {
      const answer = await fetch(gateway.baseUrl + path, {
        method: 'POST',
        headers: {
          'x-gw-api-key': key.key,
          'x-gw-provider': '@main',
          ...(type === undefined ? {} : { 'content-type': type }),
        },
        body,
      });
      return [answer.status, await answer.text()];
    };
    return { ...served, send };
  };

  it('covers forms that are passed through, wherever the model stands, and forwards them unchanged', async () => {
    const { upstream, send } = await withPolicy();
    upstream.handle((call) => call.json({ text: 'Hello.' }));
    const after = toForm(['file', file], ['model', 'whisper-1'], ['language', 'de']);
    expect((await send(after))[0]).toBe(200);
    const sent = upstream.requests[0];
    const read = await new Response(new Uint8Array(sent?.body ?? Buffer.alloc(0)), {
      headers: { 'content-type': sent?.header('content-type') ?? '' },
    }).formData();
    expect([...read.keys()]).toEqual(['file', 'model', 'language']);
    expect((await (read.get('file') as File).arrayBuffer()).byteLength).toBe(200_000);
    const [status, text] = await send(toForm(['model', 'whisper-1'], ['file', file]));
    expect([status, JSON.parse(text).error.code]).toEqual([429, 'rate-limited']);
    expect((await send(toForm(['model', 'whisper-2'], ['file', file])))[0]).toBe(200);
    expect((await send(toForm(['model', 'other'], ['file', file])))[0]).toBe(200);
    // The provider may have a default model for a form that names none.
    const [unclear, why] = await send(toForm(['file', file]));
    expect([unclear, JSON.parse(why).error.code]).toEqual([400, 'unclear-model']);
    expect(upstream.requests).toHaveLength(3);
  });

  it('rejects forms that have too many parts, also on an unknown path', async () => {
    const { upstream, send } = await withPolicy();
    const parts = '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(1001);
    for (const path of ['/audio/transcriptions', '/videos'])
      expect(await send(`${parts}--b--\r\n`, 'multipart/form-data; boundary=b', path)).toEqual([
        400,
        expect.stringContaining('it has more than 1000 parts.'),
      ]);
    expect(upstream.requests).toHaveLength(0);
  });

  it('rejects forms in which another parser could find another model', async () => {
    const { upstream, send } = await withPolicy();
    const unended = '--b\r\ncontent-disposition: form-data; name="model"\r\n\r\nwhisper-1';
    const form = 'multipart/form-data';
    const part = (said: string): string => `--b\r\ncontent-disposition: form-data; ${said}\r\n\r\nother\r\n--b--\r\n`;
    const cases: readonly (readonly [reason: string, body: FormData | string, type?: string])[] = [
      ['several fields "model"', toForm(['model', 'other'], ['file', file], ['model', 'whisper-1'])],
      ['its field "model" is a file', toForm(['model', new Blob(['whisper-1'])])],
      ['has more than 1024 bytes', toForm(['model', 'w'.repeat(2000)])],
      ['ends before its last', unended, 'multipart/form-data; boundary=b'],
      ['has no boundary', toForm(['model', 'whisper-1']), 'multipart/form-data'],
      ...['b; boundary=c', 'b; BOUNDARY="c"', "b; boundary*=utf-8''c", 'b c', '"b\\c"'].map(
        (given) =>
          ['one that parsers interpret differently', part('name="model"'), `${form}; boundary=${given}`] as const,
      ),
      ['one that parsers interpret differently', part('name="model"'), `${form}; a="; boundary=c"; boundary=b`],
      ['specifies its name twice', part('name="model"; name="other"')],
      ['that parsers interpret differently', part('name="other"; a="\\"; name=model; b="')],
      ['several content-disposition headers', part('name="other"\r\ncontent-disposition: form-data; name="model"')],
      ['header lines that are folded', part('name="other";\r\n name="model"')],
      ['header lines that are folded', part('name="other"\ncontent-disposition: form-data; name="model"')],
      ['occurs where no part begins', `${part('name="model"')}\r\n${part('name="model"')}`],
      ['occurs where no part begins', part('name="model"').replace('other', `a\n${part('name="model"')}`)],
    ];
    for (const [reason, body, given] of cases) {
      const type = given ?? (typeof body === 'string' ? `${form}; boundary=b` : undefined);
      const [status, text] = await send(body, type);
      const { error } = JSON.parse(text);
      expect([status, error.code, error.message]).toEqual([400, 'malformed-upload', expect.stringContaining(reason)]);
    }
    expect(upstream.requests).toHaveLength(0);
  });
});
