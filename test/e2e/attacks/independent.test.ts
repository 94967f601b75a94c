import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

/** Attempts by a tester who had only the README and SECURITY.md: callers against a gateway with files of its operator. */
let gateway: GatewayProcess;
let upstream: TestUpstream;
let elsewhere: TestUpstream;
const word = 'forbidden';

beforeAll(async () => {
  upstream = await startUpstream();
  elsewhere = await startUpstream();
  upstream.handle((call) => call.json(openaiAnswer({ text: 'Hello.' })));
  elsewhere.handle((call) => call.json(openaiAnswer({ text: 'Hello.' })));
  const host = `${upstream.origin}/v1`;
  const target = { provider: 'openai', api_key: '${env:A_SECRET}', custom_host: host };
  const check = { 'default.contains': { operator: 'none', words: [word] }, deny: true };
  gateway = await startGateway({
    files: {
      'gateway.json': {
        configs: 'configs',
        default_config: 'main',
        providers: {
          saved: { provider: 'openai', credential: { api_key: '${env:A_SECRET}' }, settings: { custom_host: host } },
        },
      },
      'configs/main.json': target,
      'configs/judged.json': { ...target, input_guardrails: [check] },
    },
    env: { A_SECRET: 'sk-of-the-operator' },
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
  await elsewhere.close();
});

const post = async (path: string, body: unknown, headers: Readonly<Record<string, string>>): Promise<number> => {
  const answer = await fetch(`${gateway.origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  await answer.arrayBuffer();
  return answer.status;
};

const chat = '/v1/chat/completions';
const hello = { model: 'm', messages: [{ role: 'user', content: 'Hello.' }] };

describe('a saved credential is not sent to a host of the caller', () => {
  const own = (config: object): Readonly<Record<string, string>> => ({ 'x-gw-config': JSON.stringify(config) });
  const to = (host: string): Readonly<Record<string, string>> => ({
    'x-gw-provider': '@saved',
    'x-gw-custom-host': host,
  });
  const cases: Readonly<Record<string, (host: string) => Readonly<Record<string, string>>>> = {
    'in a header': to,
    'beside a key of the caller': (host) => ({ ...to(host), authorization: 'Bearer mine' }),
    'with the default config': (host) => ({ 'x-gw-custom-host': host }),
    'in a config': (host) => own({ provider: '@saved', custom_host: host }),
    'set above the target': (host) =>
      own({ custom_host: host, strategy: { mode: 'fallback' }, targets: [{ provider: '@saved' }] }),
    'if a config refers to the credential': (host) =>
      own({ provider: 'openai', api_key: '${env:A_SECRET}', custom_host: host }),
    'if the host itself contains the reference': (host) =>
      own({ provider: 'openai', api_key: 'mine', custom_host: `${host}/\${env:A_SECRET}` }),
    'after userinfo': (host) => to(`${upstream.origin}@${host.slice('http://'.length)}`),
    'written in decimal': (host) => to(host.replace('127.0.0.1', '2130706433')),
    'written in octal': (host) => to(host.replace('127.0.0.1', '017700000001')),
    'written as IPv6': (host) => to(host.replace('127.0.0.1', '[::ffff:127.0.0.1]')),
    'after a backslash': (host) => to(`${upstream.origin}\\@${host.slice('http://'.length)}`),
  };
  it.each(Object.entries(cases))('%s', async (_where, headers) => {
    expect(await post(chat, hello, headers(elsewhere.origin))).toBe(400);
    expect(elsewhere.requests).toEqual([]);
  });
});

describe('a denied word in a text file is found, however the file is written', () => {
  const encoded = Buffer.from(word).toString('base64');
  const base64 = (...parts: readonly (string | readonly number[])[]): string =>
    Buffer.concat(parts.map((each) => (typeof each === 'string' ? Buffer.from(each) : Buffer.from(each)))).toString(
      'base64',
    );
  const written: Readonly<Record<string, string>> = {
    'in base64': encoded,
    'in several lines': `${encoded.slice(0, 4)}\r\n${encoded.slice(4)}`,
    'with spaces': `${encoded.slice(0, 4)} ${encoded.slice(4)}`,
    'with characters that are not base64': `!${encoded.slice(0, 4)}*${encoded.slice(4)}`,
    'with extra padding': `${encoded}====`,
    'with a zero byte': base64(word, [0]),
    'after control characters': base64([1, 2], word),
    'after the signature of an image': base64([0x89], 'PNG\r\n\x1a\n', word, [0]),
    'after the signature of a PDF': base64('%PDF-1.4\n', word, [0xff, 0]),
    'after a UTF-16 byte order mark': base64([0xff, 0xfe], word, [0]),
  };
  const words = { type: 'text', text: 'Hello.' };
  const bodies: Readonly<Record<string, (data: string) => readonly [path: string, body: object]>> = {
    gemini: (data) => [
      '/v1beta/models/m:generateContent',
      { contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'text/plain', data } }, { text: 'Hello.' }] }] },
    ],
    'gemini, in two spellings': (data) => [
      '/v1beta/models/m:generateContent',
      {
        contents: [
          { parts: [{ inline_data: { mimeType: 'image/png', mime_type: 'text/plain', data } }, { text: 'x' }] },
        ],
      },
    ],
    messages: (data) => [
      '/v1/messages',
      {
        model: 'm',
        max_tokens: 5,
        messages: [
          {
            role: 'user',
            content: [{ type: 'document', source: { type: 'base64', media_type: 'text/plain', data } }, words],
          },
        ],
      },
    ],
    converse: (data) => [
      '/model/m/converse',
      {
        messages: [
          {
            role: 'user',
            content: [{ document: { format: 'txt', name: 'a', source: { bytes: data } } }, { text: 'Hello.' }],
          },
        ],
      },
    ],
    chat: (data) => [
      chat,
      {
        model: 'm',
        messages: [
          {
            role: 'user',
            content: [{ type: 'file', file: { filename: 'a', file_data: `data:text/plain ;base64,${data}` } }, words],
          },
        ],
      },
    ],
  };
  describe.each(Object.entries(bodies))('%s', (_dialect, toBody) => {
    it.each(Object.entries(written))('%s', async (_how, data) => {
      const before = upstream.requests.length;
      const [path, body] = toBody(data);
      expect(await post(path, body, { 'x-gw-config': 'judged' })).toBe(446);
      expect(upstream.requests).toHaveLength(before);
    });
  });

  it('and an image beside words still passes', async () => {
    const [path, body] = ['/v1beta/models/m:generateContent', base64([0x89], 'PNG', [0, 1, 2, 3])];
    const parts = [{ inlineData: { mimeType: 'image/png', data: body } }, { text: 'Hello.' }];
    expect(await post(path, { contents: [{ role: 'user', parts }] }, { 'x-gw-config': 'judged' })).toBe(200);
  });
});

describe('a denied word is not sent in', () => {
  const says = (more: object): object => ({ ...hello, ...more });
  const user = (content: unknown): object => says({ messages: [{ role: 'user', content }] });
  const cases: Readonly<Record<string, unknown>> = {
    'a prefilled answer': says({ messages: [...hello.messages, { role: 'assistant', content: word }] }),
    'a message with an unknown role': says({ messages: [{ role: 'Assistant', content: word }, ...hello.messages] }),
    'content that is an object': user({ type: 'text', text: word }),
    'nested lists': user([[{ type: 'text', text: word }]]),
    'an unknown part': user([{ type: 'zzz', zzz: word }]),
    'an unknown member': says({ zzz: [[{ a: word }]] }),
    'a member name in another case': says({ Messages: [{ role: 'user', content: word }] }),
    escapes: `{"model":"m","messages":[{"role":"user","content":"\\u0066orbidden"}]}`,
    'a deeply nested value': `{"model":"m","messages":[{"role":"user","content":"x"}],"z":${'['.repeat(500)}"${word}"${']'.repeat(500)}}`,
  };
  it.each(Object.entries(cases))('%s', async (_where, body) => {
    const before = upstream.requests.length;
    expect(await post(chat, body, { 'x-gw-config': 'judged' })).toBe(446);
    expect(upstream.requests).toHaveLength(before);
  });
});
