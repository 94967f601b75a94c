import { describe, expect, it } from 'vitest';
import type { Frame, FramingId } from '../../../../../plugins/sdk/dialect/dialect.ts';
import type { Exchange } from '../../../../../plugins/sdk/exchange/exchange.ts';
import { framings } from '../../../../../plugins/sdk/framings/framings.ts';
import { headerValue } from '../../../../../plugins/sdk/http/http.ts';
import { receiveBody } from '../../../../../plugins/testkit/route/received-body.ts';
import { runConfig, toJson } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';
import { tongueRoute, tongueWith } from '../../../../support/plugins/tongue.ts';

const frames: readonly Frame[] = [
  { event: 'begin', data: '{}' },
  { event: 'say', data: '{"say":"one"}' },
  { event: 'done', data: '{}' },
];

const written = (id: FramingId, given = frames): Buffer => {
  const writer = framings[id].createWriter();
  return Buffer.concat([writer.write(given), writer.end()]);
};

const stream = async (id: FramingId, exchange: Exchange, given = frames) => {
  const { handle } = runConfig(
    { provider: 'own' },
    {
      upstream: () => stubAnswer(written(id, given), { headers: ['Content-Type', framings[id].contentType] }),
      plugins: [tongueWith({ tongue: '/say/{model}' })],
    },
  );
  const response = await handle(exchange);
  const type = headerValue(response.headers, 'content-type');
  if (response.body.kind === 'bytes') return { status: response.status, type, body: toJson(response) };
  return { status: response.status, type, body: (await receiveBody(response.body)).bytes };
};

const asking = (framing?: FramingId): Exchange =>
  sampleExchange(
    { say: 'hi' },
    { route: { ...tongueRoute, stream: true, ...(framing === undefined ? {} : { framing }) } },
  );

const chatting = sampleExchange({ model: 'm', stream: true, messages: [{ role: 'user', content: 'hi' }] });

describe('a framed stream', () => {
  it.each(['sse', 'aws-eventstream'] as const)(
    'in %s is recognised by its content type and passed on unchanged',
    async (id) => {
      expect(await stream(id, asking(id))).toEqual({
        status: 200,
        type: framings[id].contentType,
        body: written(id),
      });
    },
  );

  it.each(['aws-eventstream', 'ndjson', 'json-array'] as const)(
    'is written as %s for a client that uses that framing',
    async (id) => {
      const { type, body } = await stream('sse', asking(id));
      expect([type, body]).toEqual([framings[id].contentType, written(id)]);
    },
  );

  it('is translated from another framing', async () => {
    const { type, body } = await stream('aws-eventstream', chatting);
    expect(type).toBe('text/event-stream');
    expect(String(body)).toContain('"content":"one"');
    // The frames do not name a model, so the requested one is used.
    expect(String(body)).toContain('"model":"m"');
    expect(String(body)).toContain('data: [DONE]');
  });

  it('becomes an error in JSON if it fails before its answer begins', async () => {
    const wrong = [{ event: 'wrong', data: 'no' }];
    for (const id of ['sse', 'aws-eventstream'] as const)
      for (const exchange of [asking('aws-eventstream'), asking('json-array')])
        expect(await stream(id, exchange, wrong)).toEqual({
          status: 502,
          type: 'application/json',
          body: { wrong: 'no', type: '' },
        });
    expect(await stream('aws-eventstream', chatting, wrong)).toMatchObject({ status: 502, body: { error: {} } });
  });

  it('is rejected if it contains no frames of its framing', async () => {
    const { handle } = runConfig(
      { provider: 'own' },
      {
        upstream: () =>
          stubAnswer('<html>'.repeat(9), { headers: ['Content-Type', 'application/vnd.amazon.eventstream'] }),
        plugins: [tongueWith({ tongue: '/say' })],
      },
    );
    expect(await handle(asking('aws-eventstream'))).toMatchObject({ status: 502, cause: 'unreadable-answer' });
  });
});
