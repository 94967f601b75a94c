import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { ClientRequest, Exchange } from '../../../../../plugins/sdk/exchange/exchange.ts';
import { createCancellation } from '../../../../../plugins/testkit/route/cancellation.ts';
import { receiveBody } from '../../../../../plugins/testkit/route/received-body.ts';
import { errorReport } from '../../../../../schema/errors/errors.ts';
import { runConfig } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { hanging, StubBody, stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';

const openai = { provider: 'openai', api_key: '${env:KEY}' };
const opaque = (request: Partial<ClientRequest> = {}, given: Partial<Exchange> = {}): Exchange =>
  sampleExchange(
    {},
    {
      route: { operation: 'opaque' },
      request: { method: 'GET', path: '/files?limit=2', headers: [], body: { kind: 'none' }, ...request },
      ...given,
    },
  );

describe('a passed-through request', () => {
  it('keeps its method, path, query, headers and body', async () => {
    const { handle, upstreams } = runConfig(openai, { upstream: () => stubAnswer('') });
    const body = { kind: 'bytes', bytes: Buffer.from([0, 255]) } as const;
    await handle(opaque({ method: 'DELETE', headers: ['X-odd', '1', 'Authorization', 'Bearer mine'], body }));
    expect(upstreams.requests).toEqual([
      {
        method: 'DELETE',
        origin: 'https://api.openai.com',
        path: '/v1/files?limit=2',
        headers: ['X-odd', '1', 'Authorization', 'Bearer secret of env:key'],
        body,
      },
    ]);
  });

  it("goes to the path that the provider's own clients use", async () => {
    const { handle, upstreams } = runConfig(
      { provider: 'anthropic', api_key: '${env:KEY}' },
      { upstream: () => stubAnswer('') },
    );
    await handle(opaque({ path: '/v1/files' }));
    expect(upstreams.requests[0]?.path).toBe('/v1/files');
  });

  const bedrock = {
    provider: 'bedrock',
    cloudc_region: 'eu-west-3',
    cloudc_access_key_id: '${env:ID}',
    cloudc_secret_access_key: '${env:SECRET}',
  };

  it.each([
    [bedrock, 'https://s3.eu-west-3.amazonaws.com'],
    [{ provider: 'vertex-ai', api_key: '${env:KEY}', cloudb_region: 'global' }, 'https://storage.googleapis.com'],
    [{ ...bedrock, custom_host: 'https://proxy.example/base' }, 'https://proxy.example'],
  ])('for the storage of a cloud goes there, or to the custom host: %j', async (config, origin) => {
    const { handle, upstreams } = runConfig(config, { upstream: () => stubAnswer('') });
    const storage = { operation: 'opaque', isStorage: true } as const;
    expect((await handle(opaque({ path: '/bucket/key' }, { route: storage }))).status).toBe(200);
    expect(upstreams.requests).toMatchObject([{ origin, path: '/bucket/key' }]);
  });

  it('for storage is a 501 if the provider has none', async () => {
    const { handle, upstreams } = runConfig(openai, { upstream: () => stubAnswer('') });
    const response = await handle(opaque({}, { route: { operation: 'opaque', isStorage: true } }));
    expect([response.status, upstreams.requests]).toEqual([501, []]);
  });

  const cohere = { provider: 'cohere', api_key: '${env:KEY}', forward_headers: ['authorization'] };
  const signed = (signedOrigin: string) =>
    opaque(
      {
        path: '/folder/part.avro?Signature=s',
        headers: ['Authorization', 'Bearer mine', 'Accept-Encoding', 'identity'],
      },
      { route: { operation: 'opaque', isStorage: true, signedOrigin } },
    );

  it.each([
    [cohere, 'https://storage.googleapis.com'],
    [{ ...cohere, custom_host: 'https://proxy.example/base' }, 'https://files.example'],
    [{ ...cohere, custom_host: 'https://proxy.example/base' }, 'https://proxy.example'],
  ])('for an address that the provider signed is sent without a credential: %j', async (config, origin) => {
    const { handle, upstreams } = runConfig(config, { upstream: () => stubAnswer('') });
    expect((await handle(signed(origin))).status).toBe(200);
    expect(upstreams.requests).toMatchObject([
      { origin, path: '/folder/part.avro?Signature=s', headers: ['Accept-Encoding', 'identity'] },
    ]);
    // The config of an operator may name any host, but an answer of a provider may not.
    const operatorHost = origin === 'https://proxy.example';
    expect(upstreams.opened.at(-1)).toMatchObject({ origin, operatorHost });
  });

  it('for an address at a host that callers may not name is refused', async () => {
    const config = { ...cohere, custom_host: 'https://proxy.example' };
    const { handle, upstreams } = runConfig(config, { upstream: () => stubAnswer('') });
    const judged: string[] = [];
    Object.assign(upstreams, {
      findHostError: (url: string) => {
        judged.push(url);
        return { reason: 'the address is not public.', listable: true };
      },
    });
    const response = await handle(signed('http://10.0.0.1'));
    expect([response.cause, judged, upstreams.requests]).toEqual(['host-not-allowed', ['http://10.0.0.1'], []]);
  });

  it.each([
    [cohere, 'https://files.example', 502, 'a file is said to be at https://files.example, where it has none'],
    [openai, 'https://storage.googleapis.com', 501, 'does not support signed addresses of files'],
  ])('for an address that the provider cannot have signed is refused: %j', async (config, origin, status, message) => {
    const { handle, upstreams } = runConfig(config, { upstream: () => stubAnswer('') });
    const response = await handle(signed(origin));
    const { bytes } = await receiveBody(response.body);
    expect([response.status, upstreams.requests]).toEqual([status, []]);
    expect(bytes.toString()).toContain(message);
  });

  it("carries the client's Authorization header only if the config forwards it", async () => {
    const config = { ...openai, forward_headers: ['authorization'] };
    const { handle, upstreams } = runConfig(config, { upstream: () => stubAnswer('') });
    await handle(opaque({ headers: ['AUTHORIZATION', 'Bearer mine'] }));
    expect(upstreams.requests[0]?.headers).toEqual(['AUTHORIZATION', 'Bearer mine']);
  });

  it('gets its answer unchanged and unread', async () => {
    const headers = ['Content-Encoding', 'gzip', 'Content-Length', '2', 'ETag', 'x', 'Keep-Alive', '5'];
    const { handle } = runConfig(openai, {
      upstream: () => stubAnswer(Buffer.from([31, 139]), { status: 304, headers }),
    });
    const response = await handle(opaque());
    expect(response).toMatchObject({ status: 304, headers: headers.slice(0, 6), origin: 'upstream' });
    expect(await receiveBody(response.body)).toEqual({ bytes: Buffer.from([31, 139]) });
  });

  it('falls back while its body can be sent again', async () => {
    const bodies: StubBody[] = [];
    const config = { strategy: { mode: 'fallback' }, targets: [openai, openai] };
    const { handle, clock } = runConfig(config, {
      upstream: () => {
        const body = new StubBody('down');
        bodies.push(body);
        return { kind: 'answer', status: 503, headers: [], body };
      },
    });
    const response = await handle(opaque());
    expect(response.leaf?.path).toBe('/targets/1');
    expect(bodies.map(({ discarded }) => discarded)).toEqual([true, false]);
    await receiveBody(response.body);
    expect(clock.pending).toBe(0);
  });

  it('is sent once if its body streams, and gets the answer to that attempt', async () => {
    const config = { strategy: { mode: 'fallback' }, retry: { attempts: 2 }, targets: [openai, openai] };
    const { handle, upstreams } = runConfig(config, {
      upstream: async ({ body }) => {
        if (body.kind === 'stream') for await (const _ of body.stream);
        return stubAnswer('down', { status: 503 });
      },
    });
    const stream = Readable.from([Buffer.from('a')]);
    const response = await handle(
      opaque({ method: 'POST', headers: ['Content-Length', '1'], body: { kind: 'stream', stream } }),
    );
    expect(response).toMatchObject({ status: 503, leaf: { path: '/targets/0', retries: 0 } });
    expect(upstreams.requests.map(({ headers }) => headers.slice(0, 2))).toEqual([['Content-Length', '1']]);
  });

  it('falls back while its streamed body has not been read', async () => {
    const config = { strategy: { mode: 'fallback' }, targets: [openai, openai] };
    const error = errorReport('connection-failed', { host: 'h', reason: 'refused' });
    const { handle, upstreams } = runConfig(config, { upstream: () => ({ kind: 'failure', error }) });
    await handle(opaque({ method: 'POST', body: { kind: 'stream', stream: Readable.from([]) } }));
    expect(upstreams.requests).toHaveLength(2);
  });

  it('is subject to its time-out only until the head of the answer arrives', async () => {
    const { handle, clock } = runConfig({ ...openai, request_timeout: 50 }, { upstream: hanging });
    expect(await handle(opaque())).toMatchObject({ status: 408, origin: 'timeout' });
    expect(clock.monotonic()).toBe(50);
    const slow = runConfig({ ...openai, request_timeout: 50 }, { upstream: () => stubAnswer('slow') });
    const response = await slow.handle(opaque());
    slow.clock.advance(1000);
    expect((await receiveBody(response.body)).bytes.toString()).toBe('slow');
  });

  it('has its transfer aborted if its answer is cut', async () => {
    const cut = errorReport('connection-lost', { host: 'h', reason: 'reset' });
    const { handle } = runConfig(openai, {
      upstream: () => ({ kind: 'answer', status: 200, headers: [], body: new StubBody('half', cut) }),
    });
    const response = await handle(opaque());
    expect(await receiveBody(response.body)).toEqual({ bytes: Buffer.from('half'), failure: cut });
  });

  it('reports how its answer ended, including to late listeners', async () => {
    const { cancellation, cancel } = createCancellation();
    const ends: string[] = [];
    const { handle } = runConfig(openai, { upstream: () => stubAnswer('x') });
    const listen = async (exchange: Exchange) => {
      const { body } = await handle(exchange);
      if (body.kind !== 'stream') throw new Error('A passed-through answer streams.');
      body.onEnd((end) => ends.push(end));
      return body;
    };
    const whole = await listen(opaque());
    await receiveBody(whole);
    whole.onEnd((end) => ends.push(`${end} again`));
    (await listen(opaque())).discard();
    await listen(opaque({}, { cancellation }));
    cancel();
    expect(ends).toEqual(['complete', 'complete again', 'left', 'left']);
  });

  it('runs no checks', async () => {
    const config = {
      ...openai,
      input_guardrails: [{ 'default.contains': { words: ['x'], operator: 'any' }, deny: true }],
    };
    const { handle } = runConfig(config, { upstream: () => stubAnswer('') });
    const exchange = opaque();
    expect((await handle(exchange)).status).toBe(200);
    expect(exchange.trail.map(({ kind }) => kind)).toEqual(['attempted']);
  });
});
