import { describe, expect, it } from 'vitest';
import { builtinDialects } from '../../../../plugins/dialects/builtin-dialects.ts';
import { chat } from '../../../../plugins/dialects/chat/chat.ts';
import { echo } from '../../../../plugins/providers/echo/echo.ts';
import { openaiCompatible } from '../../../../plugins/providers/shared/openai-compatible.ts';
import { defineDialect } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { UpstreamAnswer } from '../../../../plugins/sdk/http/http.ts';
import { scriptedBody } from '../../../../plugins/sdk/http/scripted-body.ts';
import { wholeBody } from '../../../../plugins/sdk/http/whole-body.ts';
import type { Provider } from '../../../../plugins/sdk/provider/provider.ts';
import { testProvider } from '../../../../plugins/testkit/provider/test-provider.ts';
import { neverCancelled } from '../../../../plugins/testkit/route/cancellation.ts';

const good = openaiCompatible({
  id: 'good',
  documentation: 'https://example.com/docs',
  baseUrl: 'https://api.example.com/v1',
  operations: ['chat'],
  developers: true,
});

const answering = (text: string): Pick<Provider, 'inProcess'> => ({
  inProcess: (timers) => ({
    send: async (): Promise<UpstreamAnswer> => ({
      kind: 'answer',
      status: 200,
      headers: [],
      body: scriptedBody(
        { steps: [{ bytes: Buffer.from(text) }], end: 'complete' },
        { timers, cancellation: neverCancelled },
      ),
    }),
  }),
});

describe('testProvider', () => {
  it('accepts a valid provider', () => testProvider(good, { dialects: builtinDialects }));

  const errors: readonly (readonly [string, Partial<Provider>])[] = [
    ['"No Name" is not a valid provider name', { id: 'No Name' }],
    ['"@slug" is not a valid provider name', { aliases: ['@slug'] }],
    ['documentation is empty', { documentation: '' }],
    ['baseUrl must not end with a slash', { baseUrl: 'https://api.example.com/v1/' }],
    ['baseUrl is not an HTTP URL', { baseUrl: 'api.example.com' }],
    [
      'baseUrl throws: region is missing',
      {
        baseUrl: () => {
          throw new Error('region is missing');
        },
      },
    ],
    ['it speaks no dialect, and has no changesAccount', { speaks: {} }],
    ['speaks.chat must start with a slash', { speaks: { chat: 'chat' } }],
    ['headers with a credential must alternate names and values', { headers: () => ['Authorization'] }],
    ['headers with a credential must alternate names', { headers: () => undefined as never }],
    ['headers with a credential must alternate names', { headers: (async () => []) as never }],
    ['headers with a credential must alternate names', { headers: () => ['x-a', 5 as never] }],
    ['"bad name" is not a valid header name', { headers: ({ api_key: key = '' }) => ['bad name', key] }],
    ['the header "Host" belongs to the connection', { headers: ({ api_key: key = '' }) => ['Host', key] }],
    [
      'the header "k" without a credential has a value that cannot be sent',
      { headers: ({ api_key: key }) => ['k', `${key}`] },
    ],
    ['its headers do not carry the credential', { headers: () => [] }],
    ['the client header "X-Beta" is not in lower case', { clientHeaders: ['X-Beta'] }],
    ['drop has an empty name', { drop: [''] }],
    ['passThrough must return a path', { passThrough: () => 'files' }],
    ['authorize rejects: no key', { authorize: () => Promise.reject(new Error('no key')) }],
    [
      'headers after authorize must alternate names and values',
      { authorize: async (request) => ({ ...request, headers: ['x'] }) },
    ],
    [
      'speaks.chat returns /m/../x for the model "../x": it has segments',
      { speaks: { chat: ({ model }) => `/m/${model}` } },
    ],
    [
      'for the model "?x=1": it changes the query',
      { speaks: { chat: ({ model = '' }) => `/m/${model.replaceAll('/', '')}` } },
    ],
    ['adaptsOwn has "messages", which is not in speaks', { adaptsOwn: ['messages'] }],
    ['adaptsMarked has "messages", which is not in speaks', { adaptsMarked: { messages: ['"a"'] } }],
    ['basePaths has "messages", which is not in speaks', { basePaths: { messages: '/anthropic/v1' } }],
    ['lacks has "responses", which is not in speaks', { lacks: { responses: ['audio'] } }],
    ['leavesOut has "rerank", which is not in speaks', { leavesOut: { rerank: ['results'] } }],
    ['basePaths.chat must begin with a slash and not end with one: /v2/', { basePaths: { chat: '/v2/' } }],
    ['basePaths.chat must begin with a slash and not end with one: v2', { basePaths: { chat: 'v2' } }],
    ['dialectsOf returns "messages" for the model "a-model"', { dialectsOf: () => ['messages'] }],
    ['dialectsOf throws', { dialectsOf: (model) => [model?.length === 7 ? 'chat' : JSON.parse('{')] }],
    ['the loss "colour" is not a member', { losses: [{ member: 'colour', why: 'It has none.' }] }],
    ['ownSettings has "api_key"', { ownSettings: { type: 'object', properties: { api_key: { type: 'string' } } } }],
    ['ownSettings is not a valid schema', { ownSettings: { type: 'objct' as 'object' } }],
    [
      'the settings of the sample: The option "hall" is missing.',
      { ownSettings: { type: 'object', required: ['hall'], properties: { hall: { type: 'string' } } } },
    ],
    ['authorize must return a path', { authorize: async (request) => ({ ...request, path: 'x' }) }],
    [
      'authorize must return an origin',
      { authorize: async (request) => ({ ...request, origin: 'https://a.example/b' }) },
    ],
    ['authorize must keep the method', { authorize: async (request) => ({ ...request, method: 'GET' }) }],
    ['authorize must keep the body', { authorize: async (request) => ({ ...request, body: { kind: 'none' } }) }],
    [
      'authorize reads the body but sends none',
      {
        authorize: async (request) => {
          await wholeBody(request.body);
          return request;
        },
      },
    ],
    [
      'authorize must not change the request',
      { authorize: async (request) => ({ ...request, headers: (request.headers as string[]).splice(0) }) },
    ],
    [
      'the value "token" expires immediately',
      {
        authorize: async (request, { cached }) => {
          await cached('token', async () => ({ value: 't', expiresAt: 0 }));
          return request;
        },
      },
    ],
    ['give the sample a "send"', { authorize: async (request, { send }) => send(request).then(() => request) }],
    ['in chat it does not answer', answering('{')],
    [
      'its stream',
      answering(
        '{"id":"1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"a"},"finish_reason":"stop"}]}',
      ),
    ],
  ];

  it.each(errors)('reports that %s', async (error, change) => {
    await expect(testProvider({ ...good, ...change }, { dialects: builtinDialects })).rejects.toThrow(error);
  });

  it("passes the sample's token service to authorize and caches what authorize caches", async () => {
    const asked: string[] = [];
    const signing: Provider = {
      ...good,
      ownSettings: { type: 'object', properties: { hall: { type: 'string', default: 'main' } } },
      authorize: async (request, { cached, send, now, settings }) => {
        const token = await cached('token', async () => {
          const { body } = await send({ ...request, path: `/token/${String(settings.hall)}` });
          return { value: Buffer.from(body).toString(), expiresAt: now() + 60_000 };
        });
        return { ...request, headers: [...request.headers, 'x-token', token] };
      },
    };
    await testProvider(signing, {
      now: 1000,
      send: ({ path }) => {
        asked.push(path);
        return { status: 200, headers: [], body: Buffer.from('a-token') };
      },
    });
    expect(asked).toEqual(['/token/main']);
  });

  it('reads the streams of an in-process provider in the framing of its dialect', async () => {
    const lines = defineDialect({ ...chat, id: 'lines', framing: 'ndjson' });
    const chunk = (delta: object, finish: string | null): string =>
      `${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n`;
    const text = `${chunk({ content: 'a' }, null)}${chunk({}, 'stop')}[DONE]\n`;
    const whole =
      '{"id":"1","choices":[{"index":0,"message":{"role":"assistant","content":"a"},"finish_reason":"stop"}]}';
    const provider: Provider = {
      ...good,
      speaks: { lines: '/lines' },
      inProcess: (timers) => ({
        send: async ({ body }): Promise<UpstreamAnswer> => {
          const isStream = body.kind === 'bytes' && Buffer.from(body.bytes).includes('"stream":true');
          const bytes = Buffer.from(isStream ? text : whole);
          const script = { steps: [{ bytes }], end: 'complete' } as const;
          const upstreamBody = scriptedBody(script, { timers, cancellation: neverCancelled });
          return { kind: 'answer', status: 200, headers: [], body: upstreamBody };
        },
      }),
    };
    await testProvider(provider, { dialects: [lines] });
  });

  it('reports a timer that is left running after the client has disconnected', async () => {
    const forgetful: Provider = {
      ...echo,
      inProcess: (timers) => {
        const upstream = echo.inProcess?.(timers) ?? expect.unreachable();
        return {
          send: (request, scope) => {
            if (scope.cancellation.cancelled) timers.after(1000, () => {});
            return upstream.send(request, scope);
          },
        };
      },
    };
    await expect(testProvider(forgetful, { dialects: builtinDialects })).rejects.toThrow('it leaves a timer running');
  });
});
