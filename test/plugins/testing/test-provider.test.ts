import { describe, expect, it } from 'vitest';
import { builtinDialects } from '../../../plugins/dialects/builtin-dialects.ts';
import { echo } from '../../../plugins/providers/echo/echo.ts';
import { openaiCompatible } from '../../../plugins/providers/openai-compatible.ts';
import type { UpstreamAnswer } from '../../../plugins/sdk/http.ts';
import type { Provider } from '../../../plugins/sdk/provider.ts';
import { scriptedBody } from '../../../plugins/sdk/scripted-body.ts';
import { neverCancelled } from '../../../plugins/testing/cancellation.ts';
import { testProvider } from '../../../plugins/testing/test-provider.ts';

const good = openaiCompatible({
  id: 'good',
  documentation: 'https://example.com/docs',
  baseUrl: 'https://api.example.com/v1',
  operations: ['chat'],
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
  it('lets a good row pass', () => testProvider(good, { dialects: builtinDialects }));

  const faults: readonly (readonly [string, Partial<Provider>])[] = [
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
    ['it speaks no dialect', { speaks: {} }],
    ['speaks.chat must begin with a slash', { speaks: { chat: 'chat' } }],
    ['headers with a credential must alternate names and values', { headers: () => ['Authorization'] }],
    ['"bad name" is not a valid header name', { headers: ({ api_key: key = '' }) => ['bad name', key] }],
    ['the header "Host" belongs to the connection', { headers: ({ api_key: key = '' }) => ['Host', key] }],
    [
      'the header "k" without a credential has a value that cannot be sent',
      { headers: ({ api_key: key }) => ['k', `${key}`] },
    ],
    ['its headers do not carry the credential', { headers: () => [] }],
    ['the client header "X-Beta" is not in lower case', { clientHeaders: ['X-Beta'] }],
    ['drop has an empty name', { drop: [''] }],
    ['passThrough must give a path', { passThrough: () => 'files' }],
    ['authorize rejects: no key', { authorize: () => Promise.reject(new Error('no key')) }],
    [
      'headers after authorize must alternate names and values',
      { authorize: async (request) => ({ ...request, headers: ['x'] }) },
    ],
    ['in chat it does not answer', answering('{')],
    [
      'its stream',
      answering(
        '{"id":"1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"a"},"finish_reason":"stop"}]}',
      ),
    ],
  ];

  it.each(faults)('finds that %s', async (fault, change) => {
    await expect(testProvider({ ...good, ...change }, { dialects: builtinDialects })).rejects.toThrow(fault);
  });

  it('finds a timer that is left behind when the client is gone', async () => {
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
