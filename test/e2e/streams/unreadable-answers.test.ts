import { deflateRawSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import {
  type ScriptedAnswer,
  startUpstream,
  type TestUpstream,
  type UpstreamHandler,
} from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiStream } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let first: TestUpstream;
let second: TestUpstream;

const answer = JSON.stringify(openaiAnswer({ text: 'A bridge of stone.' }));
const json = { 'content-type': 'application/json' };
const html = '<html><body>Bad gateway</body></html>';

const target = (upstream: TestUpstream, provider = 'openai'): object => ({
  provider,
  api_key: 'callers-own-key',
  custom_host: `${upstream.origin}/v1`,
});

const post = async (
  config: object,
  path = '/chat/completions',
  more: object = {},
): Promise<{ response: Response; text: string }> => {
  const response = await fetch(`${gateway.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': JSON.stringify(config) },
    body: JSON.stringify({ model: 'a-model', input: 'Hello', messages: [{ role: 'user', content: 'Hello' }], ...more }),
  });
  return { response, text: await response.text() };
};

const answers =
  (scripted: ScriptedAnswer): UpstreamHandler =>
  (call) =>
    call.answer(scripted);

beforeAll(async () => {
  [gateway, first, second] = await Promise.all([startGateway(), startUpstream(), startUpstream()]);
  second.handle(answers({ headers: json, body: answer }));
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([first.close(), second.close()]);
});

const unreadable: readonly (readonly [string, ScriptedAnswer])[] = [
  ['HTML', { headers: { 'content-type': 'text/html' }, body: html }],
  ['HTML with the content type of JSON', { headers: json, body: html }],
  ['JSON that is cut off', { headers: json, body: answer.slice(0, -20) }],
  ['JSON that ends with the wrong bracket', { headers: json, body: '{"choices": []' }],
  ['a string', { headers: json, body: '"A bridge"' }],
  ['empty', { headers: json, body: '' }],
  ['only white space', { headers: json, body: ' \n' }],
  ['a single bracket', { headers: json, body: '{' }],
  ['HTML without a content type', { body: html }],
  ['a 204 without a body', { status: 204 }],
  ['JSON with another content type', { headers: { 'content-type': 'text/plain' }, body: answer }],
  ['HTML with another 2xx status', { status: 201, headers: json, body: html }],
  ['HTML with a content encoding', { headers: { ...json, 'content-encoding': 'gzip' }, body: gzipSync(html) }],
];

const stream = openaiStream({ text: 'A bridge of stone.' }).join('');
const labelled = (contentEncoding: string): Record<string, string> => ({
  'content-type': 'text/event-stream',
  'content-encoding': contentEncoding,
});

const readable: readonly (readonly [string, ScriptedAnswer])[] = [
  ['parameters in its content type', { headers: { 'content-type': 'Application/JSON; charset=utf-8' }, body: answer }],
  [
    'a content type of its vendor',
    { headers: { 'content-type': 'application/vnd.x+json; charset=utf-8' }, body: answer },
  ],
  ['no content type', { body: answer }],
  ['white space around it', { headers: json, body: `\r\n  ${answer}\n\t ` }],
  ['another 2xx status', { status: 201, headers: json, body: answer }],
  ['a list as its body', { headers: json, body: '[{}]' }],
  ['a syntax error within its body', { headers: json, body: '{"choices": oops}' }],
];

describe.each(['/chat/completions', '/embeddings'])('an answer to %s', (path) => {
  it.each(unreadable)('that is %s causes a 502 of the gateway', async (_what, scripted) => {
    first.handle(answers(scripted));
    const { response, text } = await post(target(first), path);
    expect(response.status).toBe(502);
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'unreadable-answer', type: 'network_error' } });
  });

  it.each(unreadable)('that is %s makes a fallback continue', async (_what, scripted) => {
    first.handle(answers(scripted));
    const { response, text } = await post(
      { strategy: { mode: 'fallback' }, targets: [target(first), target(second)] },
      path,
    );
    expect(response.status).toBe(200);
    expect(response.headers.get('x-gw-last-used-option-index')).toBe('config.targets[1]');
    expect(text).toBe(answer);
  });

  it.each(readable)('with %s is forwarded byte for byte', async (_what, scripted) => {
    first.handle(answers(scripted));
    const { response, text } = await post(target(first), path);
    expect(response.status).toBe(scripted.status ?? 200);
    expect(text).toBe(scripted.body);
  });
});

describe.each([
  ['/chat/completions', answer, 'choices'],
  ['/messages', answer, 'content'],
  ['/embeddings', '{"object":"list","data":[]}', 'data'],
])('an answer to %s', (path, body, member) => {
  it('is read without the byte order mark before it', async () => {
    first.handle(answers({ headers: json, body: `\ufeff ${body}` }));
    const { response, text } = await post(target(first), path);
    expect([response.status, text.charCodeAt(0) === 0xfeff]).toEqual([200, false]);
    expect(JSON.parse(text)).toHaveProperty(member);
  });

  it('is an error without the byte order mark before it', async () => {
    first.handle(answers({ status: 400, headers: json, body: '\ufeff{"error":{"message":"Too long."}}' }));
    const { response, text } = await post(target(first), path);
    expect([response.status, JSON.parse(text).error.message]).toEqual([400, 'Too long.']);
  });
});

describe('an invalid answer', () => {
  it('is retried, and the client sees only the next answer', async () => {
    let calls = 0;
    first.handle((call) => {
      calls += 1;
      call.answer({ headers: json, body: calls === 1 ? html : answer });
    });
    const { response, text } = await post({ ...target(first), retry: { attempts: 1 } });
    expect([response.status, text, calls]).toEqual([200, answer, 2]);
    expect(response.headers.get('x-gw-retry-attempt-count')).toBe('1');
  });

  it.each(unreadable)('(%s) also causes a 502 if it would be translated', async (_what, scripted) => {
    first.handle(answers(scripted));
    const { response, text } = await post(target(first), '/messages');
    expect(response.status).toBe(502);
    expect(JSON.parse(text)).toMatchObject({ type: 'error', error: { code: 'unreadable-answer' } });
  });

  it('is forwarded unchanged if its status is an error', async () => {
    first.handle(answers({ status: 503, headers: { 'content-type': 'text/html' }, body: html }));
    const { response, text } = await post(target(first));
    expect([response.status, text]).toEqual([503, html]);
  });

  it('is forwarded unchanged if it is passed through', async () => {
    first.handle(answers({ headers: { 'content-type': 'audio/mpeg' }, body: 'ID3' }));
    const { response, text } = await post(target(first), '/audio/speech');
    expect([response.status, text]).toEqual([200, 'ID3']);
  });

  it('to an embeddings request includes a stream, because embeddings never stream', async () => {
    first.handle((call) => call.sse().done());
    expect((await post(target(first), '/embeddings')).response.status).toBe(502);
  });
});

describe.each(['/chat/completions', '/messages'])('a stream to %s', (path) => {
  const streaming = { stream: true, max_tokens: 9 };

  it.each(['gzip', 'deflate', 'br', 'zstd'])('that is not encoded as labelled (%s) is unreadable', async (encoding) => {
    first.handle(answers({ headers: labelled(encoding), body: stream }));
    const { response, text } = await post(target(first), path, streaming);
    expect([response.status, JSON.parse(text).error.code]).toEqual([502, 'unreadable-answer']);
  });

  it('that is not encoded as labelled is requested again', async () => {
    let calls = 0;
    first.handle((call) => {
      calls += 1;
      call.answer({ headers: labelled(calls === 1 ? 'gzip' : 'identity'), body: stream });
    });
    const { response, text } = await post({ ...target(first), retry: { attempts: 1 } }, path, streaming);
    expect([response.status, response.headers.get('x-gw-retry-attempt-count')]).toEqual([200, '1']);
    expect(text).toContain('bridge');
  });

  it('is read if it is encoded as deflate without the zlib header', async () => {
    first.handle(answers({ headers: labelled('deflate'), body: deflateRawSync(stream) }));
    const { response, text } = await post(target(first), path, streaming);
    expect(response.status).toBe(200);
    expect(text).toContain('bridge');
  });
});

describe('an invalid answer of another format', () => {
  const finished = (reason: string): ScriptedAnswer => ({
    headers: json,
    body: JSON.stringify({
      id: 'c',
      message: { role: 'assistant', content: [{ type: 'text', text: 'A bri' }] },
      finish_reason: reason,
    }),
  });

  it.each([
    [{ headers: json, body: '{}' }, 'unreadable-answer', 'it has no message. Send'],
    [finished('ERROR'), 'broken-answer', 'its answer was cut off: it ended with ERROR. Send'],
    [finished('TIMEOUT'), 'broken-answer', 'its answer was cut off: it ended with TIMEOUT. Send'],
  ] as const)('is explained in whole sentences (%#)', async (scripted, code, message) => {
    first.handle(answers(scripted));
    const { response, text } = await post(target(first, 'cohere'));
    expect(response.status).toBe(502);
    expect(JSON.parse(text).error).toMatchObject({ code, message: expect.stringContaining(message) });
  });
});
