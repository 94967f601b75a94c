import { describe, expect, it } from 'vitest';
import { awsEventStream } from '../../../plugins/sdk/framings/aws-eventstream.ts';
import { isSampled } from '../../support/run/sampled-pairs.ts';
import type { UpstreamCall } from '../../support/servers/upstream-server.ts';
import { gatewayAndUpstream } from '../support/gateway-and-upstream.ts';

const world = gatewayAndUpstream({ files: { 'gateway.json': {} } });

type Client = 'chat' | 'messages' | 'responses' | 'cohere' | 'gemini' | 'gemini-array' | 'converse';

const said = [{ role: 'user', content: 'hi' }];
const parts = { contents: [{ parts: [{ text: 'hi' }] }] };
const clients: Readonly<Record<Client, readonly [string, object]>> = {
  chat: ['/v1/chat/completions', { model: 'm', stream: true, messages: said }],
  messages: ['/v1/messages', { model: 'm', stream: true, max_tokens: 5, messages: said }],
  responses: ['/v1/responses', { model: 'm', stream: true, input: 'hi' }],
  cohere: ['/v2/chat', { model: 'm', stream: true, messages: said }],
  gemini: ['/v1beta/models/m:streamGenerateContent?alt=sse', parts],
  'gemini-array': ['/v1beta/models/m:streamGenerateContent', parts],
  converse: ['/model/m/converse-stream', { messages: [{ role: 'user', content: [{ text: 'hi' }] }] }],
};
const everyClient = Object.keys(clients) as Client[];

const ask = (provider: string, client: Client, handler: (call: UpstreamCall) => void): Promise<Response> => {
  world.upstream.handle(handler);
  const [path, body] = clients[client];
  const target = { provider, api_key: 'k', custom_host: world.upstream.origin, request_timeout: 20_000 };
  return fetch(world.gateway.origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': JSON.stringify(target) },
    body: JSON.stringify(body),
  });
};

/** The text that marks a clean end of a stream, by client. */
const cleanEnds: Readonly<Record<Client, RegExp>> = {
  chat: /\[DONE\]/,
  messages: /message_stop/,
  responses: /response\.(?:completed|incomplete)"/,
  cohere: /"finish_reason":"(?!ERROR)[A-Z_]+"/,
  gemini: /"finishReason"/,
  'gemini-array': /"finishReason"/,
  converse: /messageStop/,
};

/** How an answer ended: refused, with an error in its stream, or whole. */
const readOutcome = async (client: Client, answer: Response): Promise<'refused' | 'error' | 'whole'> => {
  const text = await answer.text();
  if (answer.status !== 200) return 'refused';
  if (cleanEnds[client].test(text)) return 'whole';
  expect(text).toMatch(/error|Exception/);
  if (client === 'gemini-array') expect(Array.isArray(JSON.parse(text))).toBe(true);
  return 'error';
};

const chunked = (type: string): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked\r\n\r\n`;

const sendAll = (call: UpstreamCall, type: string, bytes: Buffer): void => {
  call.raw(chunked(type));
  if (bytes.length > 0)
    call.raw(Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]));
  call.raw('0\r\n\r\n');
};

const awsType = awsEventStream.contentType;
const aws = (event: string, data: object): Buffer =>
  awsEventStream.createWriter().write([{ event, data: JSON.stringify(data) }]);
const spoken = [
  aws('messageStart', { role: 'assistant' }),
  aws('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'hello' } }),
];
const ended = [
  aws('contentBlockStop', { contentBlockIndex: 0 }),
  aws('messageStop', { stopReason: 'end_turn' }),
  aws('metadata', { usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 }, metrics: { latencyMs: 1 } }),
];

/** A message with some of its bytes changed. */
const changed = (message: Buffer, change: (bytes: Buffer) => void): Buffer => {
  const copy = Buffer.from(message);
  change(copy);
  return copy;
};

const [, delta = Buffer.alloc(0)] = spoken;
const broken: readonly [string, Buffer][] = [
  ['a wrong checksum of a message', changed(delta, (bytes) => bytes.writeUInt32BE(1, bytes.length - 4))],
  ['a wrong checksum of the lengths', changed(delta, (bytes) => bytes.writeUInt32BE(1, 8))],
  ['a length of 4 GB', changed(delta, (bytes) => bytes.writeUInt32BE(0xffff_ffff, 0))],
  ['a length of 0', changed(delta, (bytes) => bytes.writeUInt32BE(0, 0))],
  ['headers with a negative length', changed(delta, (bytes) => bytes.writeInt32BE(-1, 4))],
  ['headers longer than the message', changed(delta, (bytes) => bytes.writeUInt32BE(bytes.length, 4))],
  ['text in place of a message', Buffer.from('data: {"choices":[]}\n\ndata: [DONE]\n\n')],
  ['zeros', Buffer.alloc(100_000)],
];

describe('an event stream of AWS', () => {
  it.each(broken)('with %s causes an error in the stream, or a refusal, for every client', async (_, bytes) => {
    for (const client of everyClient) {
      const begun = await ask('bedrock', client, (call) =>
        sendAll(call, awsType, Buffer.concat([...spoken, bytes, ...ended])),
      );
      expect([client, await readOutcome(client, begun)]).toEqual([client, 'error']);
      const first = await ask('bedrock', client, (call) => sendAll(call, awsType, Buffer.concat([bytes, ...ended])));
      expect([client, await readOutcome(client, first)]).not.toEqual([client, 'whole']);
    }
  });

  it('that is cut at any byte is not passed on as a whole answer', async () => {
    const [stop = Buffer.alloc(0), end = Buffer.alloc(0)] = ended;
    const whole = Buffer.concat([...spoken, stop, end]);
    const clientsOfCuts: readonly Client[] = ['chat', 'converse', 'gemini-array'];
    for (let cut = 0; cut < whole.length; cut += 1) {
      if (!isSampled(cut, 0, 4)) continue;
      const client = clientsOfCuts[cut % clientsOfCuts.length] ?? 'chat';
      const answer = await ask('bedrock', client, (call) => sendAll(call, awsType, whole.subarray(0, cut)));
      expect([cut, await readOutcome(client, answer)]).not.toEqual([cut, 'whole']);
    }
  });

  it('that announces more than it sends takes no memory for the rest', async () => {
    const announced = Buffer.alloc(12);
    announced.writeUInt32BE(24 * 1024 * 1024, 0);
    for (let round = 0; round < 20; round += 1) {
      const answer = await ask('bedrock', 'chat', (call) => sendAll(call, awsType, announced));
      expect(answer.status).toBe(502);
      await answer.text();
    }
  });
});

const gemini = (text: string, finish?: string): object => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0, ...(finish && { finishReason: finish }) }],
  modelVersion: 'gemini',
});

describe('a client that requests a JSON array', () => {
  it.each(['google', 'openai', 'anthropic', 'bedrock', 'cohere'])(
    'gets a complete array that ends with an error if %s cuts its stream',
    async (provider) => {
      const begin: Readonly<Record<string, (call: UpstreamCall) => void>> = {
        google: (call) => call.sse().frame(gemini('hello')),
        openai: (call) =>
          call.sse().frame({ id: 'a', model: 'm', choices: [{ index: 0, delta: { content: 'hello' } }] }),
        anthropic: (call) => {
          const stream = call.sse();
          stream.frame(
            {
              type: 'message_start',
              message: { id: 'a', model: 'm', content: [], usage: { input_tokens: 1, output_tokens: 1 } },
            },
            'message_start',
          );
          stream.frame(
            { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
            'content_block_start',
          );
          stream.frame(
            { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hello' } },
            'content_block_delta',
          );
        },
        bedrock: (call) => {
          call.raw(chunked(awsType));
          const bytes = Buffer.concat(spoken);
          call.raw(Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]));
        },
        cohere: (call) => {
          const stream = call.sse();
          stream.frame({ type: 'message-start', id: 'a' }, 'message-start');
          stream.frame(
            { type: 'content-delta', index: 0, delta: { message: { content: { text: 'hello' } } } },
            'content-delta',
          );
        },
      };
      const { promise: begun, resolve } = Promise.withResolvers<UpstreamCall>();
      const answer = await ask(provider, 'gemini-array', (call) => {
        begin[provider]?.(call);
        resolve(call);
      });
      // The answer has begun, so its stream is what is cut.
      (await begun).cut();
      const items = JSON.parse(await answer.text()) as object[];
      expect(answer.status).toBe(200);
      expect(JSON.stringify(items[0])).toContain('hello');
      expect(items.at(-1)).toHaveProperty('error');
    },
  );
});

describe('an upstream answer in another format than that of its dialect', () => {
  const forms: readonly [string, (call: UpstreamCall) => void][] = [
    ['event stream of AWS', (call) => sendAll(call, awsType, Buffer.concat([...spoken, ...ended]))],
    ['server-sent events', (call) => sendAll(call, 'text/event-stream', Buffer.from('data: {"type":"x"}\n\n'))],
    ['a web page', (call) => call.answer({ headers: ['content-type', 'text/html'], body: '<html>hello</html>' })],
    ['a JSON array', (call) => call.answer({ headers: ['content-type', 'application/json'], body: '[{"a":1}]' })],
    ['lines of JSON', (call) => sendAll(call, 'application/x-ndjson', Buffer.from('{"a":1}\n{"b":2}\n'))],
    ['an empty event stream', (call) => call.answer({ headers: ['content-type', 'text/event-stream'] })],
    [
      'binary frames with the type text/event-stream',
      (call) => sendAll(call, 'text/event-stream', Buffer.concat(spoken)),
    ],
  ];

  it.each(forms)('is not passed on as a whole answer, in any pair of dialects: %s', async (form, handler) => {
    for (const provider of ['openai', 'anthropic', 'google', 'cohere', 'bedrock'])
      for (const client of everyClient) {
        if (provider === 'bedrock' && form.includes('AWS')) continue;
        const answer = await ask(provider, client, handler);
        const text = await answer.text();
        const isWhole = answer.status === 200 && cleanEnds[client].test(text);
        expect([provider, client, isWhole]).toEqual([provider, client, false]);
        expect([provider, client, answer.status]).not.toEqual([provider, client, 500]);
      }
  });
});

const chunk = (more: object): string =>
  `data: ${JSON.stringify({ id: 'a', model: 'm', choices: [{ index: 0, delta: {}, finish_reason: null, ...more }] })}\n\n`;
const callPiece = (index: number, more: object): string => chunk({ delta: { tool_calls: [{ index, ...more }] } });
const callStart = (index: number): string =>
  callPiece(index, { id: `call_${index}`, type: 'function', function: { name: 'f', arguments: '' } });
const finish = `${chunk({ finish_reason: 'tool_calls' })}data: [DONE]\n\n`;
const numbers = Array.from({ length: 10_000 }, (_, index) => index);

/** Many small pieces: if the cost grew with the square of their number, the gateway would be busy for minutes. */
const masses: readonly [string, string][] = [
  ['1 MB of tiny frames', `${'data: {}\n\n'.repeat(100_000)}${chunk({ delta: { content: 'a' } })}${finish}`],
  ['100,000 comments', `${':\n\n'.repeat(100_000)}${chunk({ delta: { content: 'a' } })}${finish}`],
  [
    'arguments of 5 MB in pieces',
    `${callStart(0)}${callPiece(0, { function: { arguments: '{"a":"' } })}${callPiece(0, { function: { arguments: 'x'.repeat(250) } }).repeat(20_000)}${callPiece(0, { function: { arguments: '"}' } })}${finish}`,
  ],
  [
    '10,000 calls at once',
    [
      ...numbers.map(callStart),
      ...numbers.map((index) => callPiece(index, { function: { arguments: '{"a":' } })),
      ...numbers.map((index) => callPiece(index, { function: { arguments: '1}' } })),
      finish,
    ].join(''),
  ],
];

describe.each(masses)('a stream of %s', (mass, stream) => {
  const massAt = masses.findIndex(([name]) => name === mass);
  const sampled = everyClient.filter((_, clientAt) => isSampled(massAt, clientAt, 2));

  it.each(sampled)(
    'is translated for a client of %s in proportionate time, without delaying others',
    async (client) => {
      const answering = ask('groq', client, (call) => sendAll(call, 'text/event-stream', Buffer.from(stream)));
      let longest = 0;
      let isDone = false;
      const others = (async () => {
        while (!isDone) {
          const start = performance.now();
          await (await fetch(`${world.gateway.origin}/healthz`)).text();
          longest = Math.max(longest, performance.now() - start);
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
      })();
      const start = performance.now();
      const answer = await answering;
      const text = await answer.text();
      isDone = true;
      await others;
      expect(answer.status).toBe(200);
      expect(text).toMatch(cleanEnds[client]);
      expect(performance.now() - start).toBeLessThan(15_000);
      expect(longest).toBeLessThan(5_000);
    },
  );
});
