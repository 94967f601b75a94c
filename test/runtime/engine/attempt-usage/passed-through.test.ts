import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { ClientRequest } from '../../../../plugins/sdk/exchange/exchange.ts';
import type { GatewayResponse } from '../../../../plugins/sdk/http/http.ts';
import { errorReport } from '../../../../schema/errors/errors.ts';
import { type CountedRequest, createCountingLimiter } from '../../../support/in-process/counting-limiter.ts';
import { runConfig } from '../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { StubBody, type StubHandler, stubAnswer } from '../../../support/in-process/stub-upstreams.ts';

const openai = { provider: 'openai', api_key: '${env:KEY}' };
const picture = { model: 'gpt-image-1', prompt: 'A black square.' };
const drawn = { data: [{ b64_json: 'A'.repeat(100_000) }], usage: { input_tokens: 5, output_tokens: 70 } };

const delivered = ({ body }: GatewayResponse): Promise<string> =>
  new Promise((resolve) => {
    if (body.kind === 'bytes') return resolve(Buffer.from(body.bytes).toString());
    let text = '';
    body.onEnd(() => resolve(text));
    body.start({
      write: (chunk) => {
        text += Buffer.from(chunk).toString();
        return true;
      },
      onDrain: () => {},
      end: () => {},
      fail: () => {},
    });
  });

const send = async (
  upstream: StubHandler,
  { method = 'POST', path = '/images/generations', ...more }: Partial<ClientRequest> = {},
): Promise<{ readonly text: string; readonly request: CountedRequest | undefined }> => {
  const limiter = createCountingLimiter();
  const { handle, clock } = runConfig(openai, { upstream, limiter });
  const { request } = sampleExchange(picture);
  const exchange = sampleExchange(picture, {
    route: { operation: 'opaque' },
    request: { ...request, ...more, method, path },
  });
  const text = await clock.settle(delivered(await handle(exchange)));
  return { text, request: limiter.requests[0] };
};

describe('a request that is passed through', () => {
  it('is charged what its answer reports, and its client gets that answer unchanged', async () => {
    const { text, request } = await send(() => stubAnswer(drawn));
    expect(text).toBe(JSON.stringify(drawn));
    expect(request).toMatchObject({
      attempts: [
        {
          attempt: { model: 'gpt-image-1', provider: 'openai' },
          ends: [
            {
              kind: 'settled',
              usage: { kind: 'reported', model: 'gpt-image-1', input: { total: 5 }, output: { total: 70 } },
            },
          ],
        },
      ],
      ended: 1,
      openAtEnd: 0,
    });
  });

  it('is charged only what its answer reports about this request', async () => {
    const readKind = async (upstream: StubHandler, request?: Partial<ClientRequest>) => {
      const { request: counted } = await send(upstream, request);
      return counted?.attempts[0]?.ends;
    };
    const none = [{ kind: 'settled', usage: { kind: 'none' } }];
    expect(await readKind(() => stubAnswer(drawn), { method: 'GET', path: '/responses/r1' })).toMatchObject(none);
    expect(await readKind(() => stubAnswer(drawn), { path: '/responses/r1/cancel' })).toMatchObject(none);
    expect(await readKind(() => stubAnswer(drawn, { status: 400 }))).toMatchObject(none);
    expect(await readKind(() => stubAnswer({ input_tokens: 12 }))).toMatchObject(none);
    expect(await readKind(() => stubAnswer(drawn, { headers: ['content-type', 'image/png'] }))).toMatchObject(none);
  });

  it.each([
    ...['?a=/cancel', '?a=/batches', '?/cancel', '?a=b&c=:batch', '?a=/r1/cancel/', '#/cancel', ';a=cancel'],
    ...['?a=/fine_tuning/jobs', '?a=%2Fcancel'],
  ])('is charged whatever its query contains: %s', async (query) => {
    const path = `/vendor/new${query}`;
    const [measured] = (await send(() => stubAnswer(drawn), { path })).request?.attempts[0]?.ends ?? [];
    expect(measured).toMatchObject({ kind: 'settled', usage: { kind: 'reported', input: { total: 5 } } });
    const spoken = stubAnswer('ID3', { headers: ['content-type', 'audio/mpeg'] });
    const [unmeasured] = (await send(() => spoken, { path })).request?.attempts[0]?.ends ?? [];
    expect(unmeasured).toMatchObject({ kind: 'settled', usage: { unmeasured: true } });
  });

  it('is charged if a header may change its method', async () => {
    const { request } = sampleExchange(picture);
    const headers = [...request.headers, 'x-http-method-override', 'POST'];
    const { request: counted } = await send(() => stubAnswer(drawn), { method: 'PUT', headers });
    expect(counted?.attempts[0]?.ends).toMatchObject([{ kind: 'settled', usage: { kind: 'reported' } }]);
  });

  it('is known to have used something if a model answers without reporting usage', async () => {
    const unmeasured = async (upstream: StubHandler, request?: Partial<ClientRequest>) => {
      const { request: counted } = await send(upstream, request);
      const [end] = counted?.attempts[0]?.ends ?? [];
      return end?.kind === 'settled' ? end.usage.unmeasured : end;
    };
    const spoken: StubHandler = () => stubAnswer('ID3', { headers: ['content-type', 'audio/mpeg'] });
    const paths = ['/audio/speech', '/images/generations', '/rerank', '/model/m/invoke', '/vendor/new'];
    paths.push('/v1beta/tunedModels/m:batchEmbedContents');
    for (const path of paths) expect([path, await unmeasured(spoken, { path })]).toEqual([path, true]);
    expect(await unmeasured(() => stubAnswer(drawn))).toBeUndefined();
    expect(await unmeasured(() => stubAnswer(drawn, { status: 400 }))).toBeUndefined();
    const free = [
      ['GET', '/videos/v1'],
      ['POST', '/files'],
      ['POST', '/messages/count_tokens'],
      ['POST', '/batches'],
      ['POST', '/messages/batches'],
      ['POST', '/responses/r1/cancel'],
      ['POST', '/fine_tuning/jobs'],
      ['POST', '/v1beta/models/m:batchGenerateContent'],
      ['POST', '/v1beta/models/m:asyncBatchEmbedContent'],
      ['DELETE', '/responses/r1'],
    ] as const;
    for (const [method, path] of free)
      expect([path, await unmeasured(spoken, { method, path })]).toEqual([path, undefined]);
  });

  it('is charged in part if its stream breaks off after it reported usage', async () => {
    const lost = errorReport('connection-lost', { host: 'stub', reason: 'it was reset.' });
    const frame = `data: ${JSON.stringify({ usage: { input_tokens: 5, output_tokens: 1 } })}\n\n`;
    const { request } = await send(() => ({
      kind: 'answer',
      status: 200,
      headers: ['content-type', 'text/event-stream'],
      body: new StubBody(frame, lost),
    }));
    expect(request?.attempts[0]?.ends).toMatchObject([
      { kind: 'settled', usage: { kind: 'partial', input: { total: 5 } } },
    ]);
  });

  it.each<[name: string, request: Partial<ClientRequest>, model: string]>([
    ['an object', {}, 'gpt-image-1-mini'],
    ['a stream', { body: { kind: 'stream', stream: Readable.from([Buffer.from(JSON.stringify(picture))]) } }, ''],
    ['no body', { method: 'GET', body: { kind: 'none' } }, ''],
  ])('is counted under the model of an override if its body gets one: %s', async (_what, changes, model) => {
    const limiter = createCountingLimiter();
    const config = { ...openai, override_params: { model: 'gpt-image-1-mini' } };
    const { handle, clock, upstreams } = runConfig(config, { upstream: () => stubAnswer(drawn), limiter });
    const { request } = sampleExchange(picture);
    const sent = { ...request, path: '/images/generations', ...changes };
    await clock.settle(
      delivered(await handle(sampleExchange(picture, { route: { operation: 'opaque' }, request: sent }))),
    );
    expect(upstreams.requests).toHaveLength(1);
    expect(limiter.requests[0]?.attempts[0]?.attempt.model).toBe(model);
  });
});
