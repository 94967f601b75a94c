import { describe, expect, it } from 'vitest';
import { builtinPlugins } from '../../../../plugins/builtin.ts';
import type { GatewayResponse, Sink, StreamBody } from '../../../../plugins/sdk/http/http.ts';
import { errorResponse } from '../../../../runtime/engine/error-responses/error-response.ts';
import type { Gateway } from '../../../../runtime/engine/gateway.ts';
import { createGenerations } from '../../../../runtime/file-plans/generations.ts';
import { MemoryBudget } from '../../../../runtime/http/body/memory-budget.ts';
import { createClients } from '../../../../runtime/http/exchange/clients.ts';
import type { HttpExchange } from '../../../../runtime/http/exchange/http-exchange.ts';
import { toFetch } from '../../../../runtime/server/fetch/to-fetch.ts';
import { defaultLimits } from '../../../../runtime/server/limits.ts';
import { patternPlugin } from '../support/pattern-dialect.ts';
import { answer, testClock } from '../support/start-server.ts';

const serving = (handle: (exchange: HttpExchange) => Promise<GatewayResponse> | GatewayResponse) => {
  const generations = createGenerations({
    link: () => {
      throw new Error('There are no plans here.');
    },
  });
  const receive = (exchange: HttpExchange, respond: (response: GatewayResponse) => void): void =>
    void Promise.resolve(handle(exchange)).then(respond);
  const clients = createClients([...builtinPlugins, patternPlugin]);
  const refuse: Gateway['refuse'] = (_, { report }) => errorResponse(report, { dialect: undefined });
  const memoryBudget = new MemoryBudget(1000);
  const limits = { ...defaultLimits, bodyBytes: 100 };
  const service = { gateway: { begin: () => {}, refuse }, generations, receive, clients, memoryBudget, limits };
  return { gatewayFetch: toFetch({ service, clock: testClock }), generations, memoryBudget };
};

const post = (init: RequestInit = {}): Request =>
  new Request('https://gateway.invalid/v1/chat/completions?a=1', { method: 'POST', body: '{"model":"m"}', ...init });

describe('toFetch', () => {
  it('serves the same exchanges without a socket', async () => {
    const { gatewayFetch, generations } = serving((exchange) =>
      answer(JSON.stringify([exchange.route, exchange.request.path, exchange.json(), exchange.overrides.provider])),
    );
    const response = await gatewayFetch(post({ headers: { 'X-Gw-Provider': 'echo', 'x-gw-trace-id': 't' } }));
    expect(response.headers.get('x-gw-trace-id')).toBe('t');
    expect(await response.json()).toEqual([
      { operation: 'converse', dialect: 'chat' },
      '/chat/completions?a=1',
      { model: 'm' },
      'echo',
    ]);
    expect(generations.current.running).toBe(0);
  });

  it('supports the paths and credentials of plugins as the server does', async () => {
    const { gatewayFetch } = serving(({ route, request, overrides }) =>
      answer(JSON.stringify([route.model, request.path, overrides.credential])),
    );
    const at = (path: string) => new Request(`https://gateway.invalid/${path}`, { method: 'POST' });
    const made = await gatewayFetch(at('v1beta/things/vendor%2Fm:make?key=k&a=1'));
    expect(await made.json()).toEqual(['vendor/m', '/v1beta/things/vendor%2Fm:make?a=1', 'k']);
    const nothing = await gatewayFetch(at('thing/m/other/talk-stream-of/talk?key=k'));
    expect([nothing.status, await nothing.json()]).toEqual([404, { fault: { code: 'unknown-route', status: 404 } }]);
  });

  it('reports failed checks in the reason phrase', async () => {
    const { gatewayFetch } = serving((exchange) => ({ ...answer('{}'), status: Number(exchange.json().model) }));
    const reasonOf = async (status: number): Promise<string> =>
      (await gatewayFetch(post({ body: JSON.stringify({ model: String(status) }) }))).statusText;
    expect([await reasonOf(246), await reasonOf(446), await reasonOf(200)]).toEqual([
      'Hooks failed',
      'Hooks failed',
      '',
    ]);
  });

  it('answers 404 for an unknown path', async () => {
    const { gatewayFetch } = serving(() => answer('{}'));
    const response = await gatewayFetch(new Request('https://gateway.invalid/elsewhere'));
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: 'unknown-route' } });
  });

  it.each([
    ['chat/completions', 100, '{'],
    ['files', 1000, 'x'],
  ])('reads a body for /v1/%s only up to %i bytes', async (path, limit, text) => {
    let isLeft = false;
    let pulled = 0;
    const { gatewayFetch, generations, memoryBudget } = serving(() => answer('{}'));
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1;
        if (pulled > 50) controller.close();
        else controller.enqueue(Buffer.from(text.repeat(40)));
      },
      cancel: () => {
        isLeft = true;
      },
    });
    const request = new Request(`https://gateway.invalid/v1/${path}`, { method: 'POST', body, duplex: 'half' });
    const response = await gatewayFetch(request);
    expect([response.status, await response.json()]).toEqual([
      413,
      { error: expect.objectContaining({ code: 'body-too-large', message: expect.stringContaining(String(limit)) }) },
    ]);
    expect([isLeft, memoryBudget.held, generations.current.running]).toEqual([true, 0, 0]);
  });

  it('counts the bodies that it holds in the memory budget', async () => {
    const { gatewayFetch, memoryBudget } = serving(() => answer(String(memoryBudget.held)));
    expect(await (await gatewayFetch(post())).text()).toBe(String('{"model":"m"}'.length));
    expect(memoryBudget.held).toBe(0);
  });

  it('streams no faster than the stream is read', async () => {
    let written = 0;
    const { gatewayFetch } = serving(() =>
      answer({
        kind: 'stream',
        start: (sink) => {
          const pump = (): void => {
            while (written < 100) {
              written += 1;
              if (!sink.write(Buffer.from('x'))) {
                sink.onDrain(pump);
                return;
              }
            }
            sink.end();
          };
          pump();
        },
        discard: () => {},
        onEnd: () => {},
      }),
    );
    const response = await gatewayFetch(post());
    expect(written).toBeLessThan(10);
    expect(await response.text()).toBe('x'.repeat(100));
  });

  it('fails the response if its stream fails, and cancels the exchange if the reader cancels', async () => {
    let sink: Sink | undefined;
    let cancelled = false;
    const { gatewayFetch } = serving((exchange) => {
      exchange.cancellation.onCancel(() => {
        cancelled = true;
      });
      return answer({
        kind: 'stream',
        start: (started) => {
          sink = started;
        },
        discard: () => {},
        onEnd: () => {},
      });
    });
    const broken = await gatewayFetch(post());
    sink?.fail({ code: 'connection-lost', status: 502, type: 'network_error', message: 'The connection was lost.' });
    await expect(broken.text()).rejects.toThrow('The connection was lost.');
    const left = await gatewayFetch(post());
    await left.body?.cancel();
    expect(cancelled).toBe(true);
  });

  it.each([204, 205, 304])('returns %i without a body, and ends the exchange', async (status) => {
    const { gatewayFetch, generations } = serving(() => {
      let ended = (): void => {};
      const body: StreamBody = {
        kind: 'stream',
        start: (sink) => {
          sink.end();
          ended();
        },
        discard: () => {},
        onEnd: (listener) => {
          ended = () => listener('complete');
        },
      };
      return answer(body, { status });
    });
    const response = await gatewayFetch(post());
    expect([response.status, await response.text()]).toEqual([status, '']);
    expect(generations.current.running).toBe(0);
  });

  it('cancels the exchange if its answer cannot be a Response', async () => {
    let cancelled = false;
    const { gatewayFetch } = serving((exchange) => {
      exchange.cancellation.onCancel(() => {
        cancelled = true;
      });
      return answer({ kind: 'stream', start: () => {}, discard: () => {}, onEnd: () => {} }, { status: 700 });
    });
    await expect(gatewayFetch(post())).rejects.toThrow(RangeError);
    expect(cancelled).toBe(true);
  });

  it('rejects if its signal aborts, and releases the answer', async () => {
    const controller = new AbortController();
    let discarded = false;
    const { gatewayFetch, generations } = serving(async (exchange) => {
      await new Promise<void>((resolve) => {
        exchange.cancellation.onCancel(resolve);
        controller.abort();
      });
      const discard = (): void => {
        discarded = true;
      };
      return answer({ kind: 'stream', start: () => {}, discard, onEnd: () => {} });
    });
    await expect(gatewayFetch(post({ signal: controller.signal }))).rejects.toThrow('aborted');
    expect(discarded).toBe(true);
    expect(generations.current.running).toBe(0);
  });
});
