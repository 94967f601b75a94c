import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RawClient, rawClient } from '../../runtime/server/support/raw-client.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { shortestTime, timed } from '../../support/run/shortest-time.ts';
import { rawHttp } from '../../support/servers/raw-http.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { anthropicAnswer } from '../../support/vendors/anthropic-wire.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;

beforeAll(async () => {
  upstream = await startUpstream((call) =>
    call.json(
      call.request.head.includes('/messages') ? anthropicAnswer({ text: 'hello' }) : openaiAnswer({ text: 'hello' }),
    ),
  );
  gateway = await startGateway();
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const config = (more: object = {}): string =>
  JSON.stringify({ provider: 'openai', api_key: 'k', custom_host: `${upstream.origin}/v1`, ...more });
const translating = (): string => config({ provider: 'anthropic' });
const overriding = (): string => config({ override_params: { model: 'ours' } });
const checking = (): string =>
  config({ input_guardrails: [{ 'default.contains': { operator: 'none', words: ['forbidden'] }, deny: true }] });
const branching = (query: object): string =>
  JSON.stringify({
    strategy: { mode: 'conditional', conditions: [{ query, then: 'yes' }], default: 'no' },
    targets: ['yes', 'no'].map((name) => ({ name, ...JSON.parse(config({ override_params: { model: name } })) })),
  });

const post = (body: string | Buffer, header: string, more: Record<string, string> = {}): Promise<Response> =>
  fetch(`${gateway.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': header, ...more },
    body,
  });

const refusal = async (answer: Response): Promise<unknown> => [
  answer.status,
  /"code":"([a-z-]+)"(?:,"diagnostics"|})/.exec(await answer.text())?.[1],
];

const seen = (): Record<string, unknown> => JSON.parse(upstream.requests.at(-1)?.body.toString() ?? '{}');
const malformed = [400, 'malformed-body'];

describe('a body', () => {
  it.each([
    ['{"model":"a","model":"b","messages":[]}'],
    ['{"messages":[{"role":"user","content":"forbidden"}],"messages":[{"role":"user","content":"fine"}]}'],
    ['{"messages":[{"role":"user","content":"forbidden","content":"fine"}]}'],
    [`{"x":${'['.repeat(5000)}${']'.repeat(5000)},"messages":[],"messages":[]}`],
    ['{"messages":[{"role":"user","content":"forbidden","c\\u006fntent":"fine"}]}'],
  ])('that readers could read in two ways is refused before it is judged: %s', async (body) => {
    const before = upstream.requests.length;
    for (const header of [checking(), branching({ 'params.model': 'b' })])
      expect(await refusal(await post(body, header))).toEqual(malformed);
    expect(upstream.requests.length).toBe(before);
  });

  it('that nothing checks is forwarded unchanged, even with repeated keys', async () => {
    const body = '{"model":"a","model":"b","messages":[]}';
    expect((await post(body, config())).status).toBe(200);
    expect(upstream.requests.at(-1)?.body.toString()).toBe(body);
  });

  it('gets an override at every occurrence of its key, so that all readers see it', async () => {
    await post('{"model":"a","mod\\u0065l":"b","messages":[]}', overriding());
    expect(upstream.requests.at(-1)?.body.toString()).toBe('{"model":"ours","mod\\u0065l":"ours","messages":[]}');
  });

  it('cannot hide text from a check in bytes that are not UTF-8', async () => {
    const body = Buffer.from('{"messages":[{"role":"user","content":"for\xffbidden"}]}', 'latin1');
    expect(await refusal(await post(body, checking()))).toEqual(malformed);
  });

  it.each([
    ['a refusal', [{ type: 'refusal', refusal: 'forbidden' }]],
    ['a tool result', [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'forbidden' }] }]],
    ['a document', [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'forbidden' } }]],
    ['a part that is not in a list', { type: 'text', text: 'forbidden' }],
  ])('cannot hide text from a check in %s', async (_, content) => {
    const before = upstream.requests.length;
    expect((await post(JSON.stringify({ messages: [{ role: 'user', content }] }), checking())).status).toBe(446);
    expect(upstream.requests.length).toBe(before);
  });

  it.each([
    ['begins with a byte order mark', '\ufeff{"messages":[]}'],
    ['nests ten million times', `{"x":${'['.repeat(10_000_000)}`],
    ['is closed after nesting a hundred thousand times', `{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['contains ten million objects', `{"x":[${'{},'.repeat(10_000_000)}0]}`],
    ['is not an object', '[]'],
  ])('that %s is refused quickly if it must be read', async (_, body) => {
    for (const header of [overriding(), translating()]) {
      const refuse = () => timed(async () => expect(await refusal(await post(body, header))).toEqual(malformed));
      expect(await shortestTime(2000, refuse)).toBeLessThan(2000);
    }
  });

  it.each([2000, 6000, 60_000])(
    'of some kilobytes that nests %i times is refused if it must be read',
    async (levels) => {
      const deep = `${'{"a":['.repeat(levels / 2)}${']}'.repeat(levels / 2)}`;
      const body = `{"model":"m","max_tokens":5,"messages":[{"role":"user","content":"hi"}],"x":${deep}}`;
      for (const header of [overriding(), translating(), checking(), branching({ 'params.model': 'm' })])
        expect(await refusal(await post(body, header))).toEqual(malformed);
    },
  );

  it('that nests six thousand times is refused by the echo provider too', async () => {
    const answer = await fetch(`${gateway.baseUrl}/embeddings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gw-provider': 'echo' },
      body: `{"model":"m","input":[${'['.repeat(6000)}${']'.repeat(6000)}]}`,
    });
    expect(answer.status).toBe(400);
  });

  it('with a tool call whose arguments nest six thousand times is translated, with the arguments as text', async () => {
    const text = `{"x":${'['.repeat(6000)}${']'.repeat(6000)}}`;
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: text } };
    const body = {
      model: 'm',
      max_tokens: 5,
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c', content: 'ok' },
      ],
    };
    expect((await post(JSON.stringify(body), translating())).status).toBe(200);
    expect(JSON.stringify(seen().messages)).toContain(`"input":{"arguments":"{\\"x\\":[[[`);
  });

  it('that nests a thousand times is read, translated and checked', async () => {
    const body = `{"model":"m","max_tokens":5,"messages":[{"role":"user","content":"hi"}],"x":${'['.repeat(990)}${']'.repeat(990)}}`;
    for (const header of [overriding(), translating(), checking()]) expect((await post(body, header)).status).toBe(200);
  });

  it('cannot change the prototypes of objects', async () => {
    const body = `{"__proto__":{"stream":true,"polluted":1},"constructor":{"prototype":{"polluted":1}},"model":"m","max_tokens":5,
      "messages":[{"role":"user","content":"hi","__proto__":{"polluted":1}}]}`;
    for (const header of [overriding(), translating(), checking(), branching({ 'params.polluted': 1 })])
      expect((await post(body, header)).status).toBe(200);
    expect(seen().model).toBe('no');
    await post('{"model":"m","messages":[{"role":"user","content":"hi"}]}', branching({ 'params.polluted': 1 }));
    expect(seen()).toEqual({ model: 'no', messages: [{ role: 'user', content: 'hi' }] });
  });

  it('with extreme numbers and texts is answered, and is not translated if a number is out of range', async () => {
    const body =
      '{"model":"m","max_tokens":1e999,"temperature":-1e999,"seed":123456789012345678901234567890,"messages":[{"role":"user","content":"\\ud800"}]}';
    for (const header of [overriding(), checking(), branching({ 'params.max_tokens': { $gt: 5 } })])
      expect((await post(body, header)).status).toBe(200);
    // A number that JSON cannot express cannot be written in another dialect.
    expect((await post(body, translating())).status).toBe(400);
  });
});

describe('metadata', () => {
  it.each([
    ['an object that sets its prototype', '{"__proto__":{"tier":"gold"}}'],
    ['a list', '[{"tier":"gold"}]'],
    ['an object that nests deeply', `{"tier":"gold","x":${'['.repeat(5000)}${']'.repeat(5000)}}`],
    ['a list that nests deeply', '['.repeat(15_000) + ']'.repeat(15_000)],
    ['not JSON', '{"tier":"gold"'],
    ['an object in the member "constructor"', '{"constructor":{"tier":"gold"}}'],
    ['a string', '"gold"'],
    ['null', 'null'],
    ['empty', ''],
    ['an object that contains an object', '{"tier":"gold","user":{"id":1}}'],
    ['an object that contains a list', '{"tier":["gold"]}'],
    ['an object that contains null', '{"tier":null}'],
  ])('that is %s is refused', async (_, metadata) => {
    const before = upstream.requests.length;
    for (const header of [branching({ 'metadata.tier': 'gold' }), config()])
      expect(await refusal(await post('{"messages":[]}', header, { 'x-gw-metadata': metadata }))).toEqual([
        400,
        'invalid-header',
      ]);
    expect(upstream.requests.length).toBe(before);
  });

  it('of texts, numbers and booleans is available to conditions', async () => {
    const metadata = JSON.stringify({ tier: 'gold', seats: 3, trial: false });
    for (const query of [{ 'metadata.tier': 'gold' }, { 'metadata.seats': { $gt: 2 } }, { 'metadata.trial': false }]) {
      await post('{"messages":[]}', branching(query), { 'x-gw-metadata': metadata });
      expect(seen().model).toBe('yes');
    }
  });

  it('has no inherited members', async () => {
    for (const key of ['constructor', 'toString', '__proto__', 'hasOwnProperty.name']) {
      await post('{"messages":[]}', branching({ [`metadata.${key}`]: { $ne: 'x' } }), { 'x-gw-metadata': '{}' });
      expect(seen().model).toBe('yes');
      await post('{"messages":[]}', branching({ [`metadata.${key}`]: { $regex: '.*' } }), { 'x-gw-metadata': '{}' });
      expect(seen().model).toBe('no');
    }
  });
});

describe('a config in a header', () => {
  it.each([
    ['nests deeply in a value', `{"override_params":{"a":${'['.repeat(15_000)}${']'.repeat(15_000)}}}`],
    ['nests targets deeply', `${'{"targets":['.repeat(2000)}{}${']}'.repeat(2000)}`],
    [
      'nests conditions deeply',
      `{"strategy":{"mode":"conditional","default":"a","conditions":[{"then":"a","query":${'{"$and":['.repeat(2000)}{"metadata.a":1}${']}'.repeat(2000)}}]},"targets":[{"name":"a","provider":"echo"}]}`,
    ],
    ['has members named after those of every object', '{"__proto__":{"provider":"echo"},"constructor":1}'],
    ['has a provider named after a member of every object', '{"provider":"constructor","api_key":"k"}'],
    ['has a saved provider named after a member of every object', '{"provider":"@__proto__"}'],
    [
      'has a check named after a member of every object',
      '{"provider":"echo","input_guardrails":[{"default.constructor":{}}]}',
    ],
    ['has an extremely long time-out', '{"provider":"echo","request_timeout":1e300}'],
    [
      'has a pattern with too many steps',
      `{"provider":"echo","input_guardrails":[{"default.regexMatch":{"rule":"(?i)${'[a-z]{0,1000}'.repeat(20)}1"}}]}`,
    ],
    [
      'has a pattern with nested repetitions',
      '{"provider":"echo","input_guardrails":[{"default.regexMatch":{"rule":"((x{100}){100}){100}"}}]}',
    ],
    [
      'has a pattern that refers back to a group',
      '{"provider":"echo","input_guardrails":[{"default.regexMatch":{"rule":"(a)\\\\1(?=b)"}}]}',
    ],
    ['names an address in another spelling', '{"provider":"openai","api_key":"k","custom_host":"http://0x7f.1:8080"}'],
    [
      'names a host with credentials in its URL',
      '{"provider":"openai","api_key":"k","custom_host":"http://127.0.0.1@evil.example/"}',
    ],
  ])('that %s is refused quickly', async (_, header) => {
    const refuse = () =>
      timed(async () => expect(await refusal(await post('{}', header))).toEqual([400, 'invalid-config']));
    expect(await shortestTime(1500, refuse)).toBeLessThan(1500);
  });

  it('cannot inject header lines into the upstream request', async () => {
    const before = upstream.requests.length;
    for (const key of ['k\r\nevil: 1', 'k\nevil: 1', 'k\u0000'])
      expect((await post('{"messages":[]}', config({ api_key: key }))).status).toBe(401);
    await post('{"messages":[]}', config({ llmv_organization: 'o\r\nevil: 1' }));
    expect(
      upstream.requests
        .slice(before)
        .map(({ head }) => head)
        .join(),
    ).not.toContain('evil');
  });

  it('with a pattern that would backtrack for ever in other engines is answered quickly', async () => {
    const header = JSON.stringify({
      provider: 'echo',
      input_guardrails: [{ 'default.regexMatch': { rule: '(x+x+)+y', not: true }, deny: true }],
    });
    const body = JSON.stringify({ model: 'echo', messages: [{ role: 'user', content: 'x'.repeat(200_000) }] });
    const answer = () => timed(async () => expect((await post(body, header)).status).toBe(200));
    expect(await shortestTime(2000, answer)).toBeLessThan(2000);
  });
});

describe('malformed HTTP', () => {
  const two = (lines: string): string =>
    `POST /v1/files HTTP/1.1\r\nhost: localhost\r\nx-gw-config: ${config()}\r\n${lines}\r\n\r\n0\r\n\r\nGET /v1/smuggled HTTP/1.1\r\nhost: localhost\r\nx-gw-config: ${config()}\r\n\r\n`;
  const exchange = async (text: string): Promise<string> => {
    using client: RawClient = await rawClient(Number(new URL(gateway.origin).port));
    client.send(text);
    return await client.ended;
  };

  it.each([
    'content-length: 2\r\ncontent-length: 3',
    'content-length: 2\r\ntransfer-encoding: chunked',
    'transfer-encoding: chunked\r\ncontent-length: 2',
    'transfer-encoding: xchunked',
    'transfer-encoding: chunked\r\ntransfer-encoding: identity',
    'transfer-encoding: chunked, identity',
    'content-length: +2',
    'content-length: 0x2',
    'content-length: 99999999999999999999999',
    'x-a: b\r\n c: d',
    'x-a: b\0c',
    'x-a: b\nc: d',
    'x-a: b\rc: d',
    'x-a : b',
    ': b',
    'x a: b',
  ])('ends the connection without serving another request from it: %j', async (lines) => {
    const all = await exchange(two(lines));
    expect(all).not.toContain(' 200 ');
    expect(upstream.requests.some(({ head }) => head.includes('smuggled'))).toBe(false);
  });

  it.each([
    ['a header section above the size limit', `x: ${'a'.repeat(70_000)}`, 431],
    ['ten thousand headers', Array.from({ length: 10_000 }, (_, at) => `x-${at}: ${at}`).join('\r\n'), 431],
  ])('is refused if it has %s', async (_, lines, status) => {
    expect(await exchange(two(lines))).toContain(`HTTP/1.1 ${status} `);
  });

  it('ends the connection if a chunk never states its length', async () => {
    const all = await exchange(
      `POST /v1/files HTTP/1.1\r\nhost: localhost\r\nx-gw-config: ${config()}\r\ntransfer-encoding: chunked\r\n\r\n2;${'a'.repeat(100_000)}`,
    );
    expect(all).not.toContain(' 200 ');
  });

  it('does not include a thousand headers, which are passed through', async () => {
    const lines = Array.from({ length: 1000 }, (_, at) => `X-${at}: ${at}`);
    const answer = await rawHttp(gateway.origin, {
      method: 'GET',
      path: '/v1/models',
      lines: [`x-gw-config: ${config()}`, ...lines],
    });
    expect(answer.statusLine).toContain(' 200 ');
    expect(upstream.requests.at(-1)?.head).toContain(lines.join('\r\n'));
  });
});

it('the gateway is alive and has printed no errors', async () => {
  expect((await fetch(`${gateway.origin}/livez`)).status).toBe(200);
  expect(gateway.printed()).not.toMatch(/Error|at .*\.ts:/);
});
