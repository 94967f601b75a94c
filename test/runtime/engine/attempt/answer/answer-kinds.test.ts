import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../../../plugins/sdk/exchange/exchange.ts';
import type { Sink } from '../../../../../plugins/sdk/http/http.ts';
import { definePlugin } from '../../../../../plugins/sdk/plugin/plugin.ts';
import { createCancellation } from '../../../../../plugins/testkit/route/cancellation.ts';
import { receiveBody } from '../../../../../plugins/testkit/route/received-body.ts';
import { DecodedBody } from '../../../../../runtime/engine/call/decoded-body.ts';
import { errorReport } from '../../../../../schema/errors/errors.ts';
import { createCountingCancellation } from '../../../../support/in-process/counting-cancellation.ts';
import { runConfig, toJson } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { StubBody, stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';

const openai = { provider: 'openai', api_key: '${env:KEY}' };
const anthropic = { provider: 'anthropic', api_key: '${env:KEY}' };
const question = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const streamed = { ...question, stream: true };
const eventStream = ['content-type', 'text/event-stream'];
const content = 'data: {"id":"a","choices":[{"index":0,"delta":{"content":"x"},"finish_reason":null}]}\n\n';

describe('an answer', () => {
  it('loses only its content-encoding header if that is "identity"', async () => {
    const headers = ['X-A', '1', 'Content-Encoding', 'identity'];
    const { handle } = runConfig(openai, { upstream: () => stubAnswer('{"plain":1}', { headers }) });
    const response = await handle(sampleExchange(question));
    expect(response.headers).toEqual(['X-A', '1']);
    expect(toJson(response)).toEqual({ plain: 1 });
  });

  it('is read whole if it is not a success, whatever its type', async () => {
    const { handle } = runConfig(openai, { upstream: () => stubAnswer('slow', { status: 429, headers: eventStream }) });
    const response = await handle(sampleExchange(streamed));
    expect(response).toMatchObject({ status: 429, origin: 'upstream', body: { bytes: Buffer.from('slow') } });
  });

  it.each([301, 302, 303, 307, 308])(
    'becomes a 502 that names only the host if it redirects with %i',
    async (status) => {
      for (const config of [openai, anthropic])
        for (const [address, place] of [
          ['https://user:word@moved.example:8443/v1?token=t', 'moved.example:8443'],
          ['/v2/chat/completions', 'another path'],
          ['javascript:alert(1)', 'another path'],
        ] as const) {
          const headers = ['X-A', '1', 'Location', address];
          const { handle } = runConfig(config, { upstream: () => stubAnswer('', { status, headers }) });
          for (const request of [question, streamed]) {
            const response = await handle(sampleExchange(request));
            expect(response.status).toBe(502);
            expect(response.headers.join()).not.toMatch(/location|moved/i);
            const { error } = Object(toJson(response));
            expect(error.code).toBe('unreadable-answer');
            expect(error.message).toContain(`it redirects to ${place}, and redirects are not followed.`);
            expect(error.message).not.toMatch(/word|token|alert/);
          }
        }
    },
  );

  it('is passed on if it has a redirect status but no location', async () => {
    const { handle } = runConfig(openai, { upstream: () => stubAnswer('{"a":1}', { status: 300 }) });
    expect(await handle(sampleExchange(question))).toMatchObject({ status: 300, origin: 'upstream' });
  });

  it('completes if it is passed through, however long its body takes after the head', async () => {
    const { handle, clock } = runConfig({ ...openai, request_timeout: 50 }, { upstream: () => stubAnswer('slow') });
    const { body } = await handle(sampleExchange({}, { route: { operation: 'opaque' } }));
    const ends: string[] = [];
    if (body.kind === 'stream') body.onEnd((end) => ends.push(end));
    clock.advance(1000);
    await receiveBody(body);
    expect(ends).toEqual(['complete']);
  });

  it('gets the content type of its translation, and keeps its other headers', async () => {
    const headers = ['X-A', '1', 'Content-Type', 'application/json; charset=utf-8'];
    const wire = { type: 'error', error: { type: 'api_error', message: 'Down.' } };
    const { handle } = runConfig(anthropic, { upstream: () => stubAnswer(wire, { status: 500, headers }) });
    const response = await handle(sampleExchange(question));
    expect(response.headers).toEqual(['X-A', '1', 'content-type', 'application/json']);
    expect(response.origin).toBe('upstream');
  });

  it('is unreadable if it must be translated but is not an object, and the error names its provider', async () => {
    const { handle } = runConfig(anthropic, { upstream: () => stubAnswer('[]') });
    const text = JSON.stringify(toJson(await handle(sampleExchange(question))));
    expect(text).toContain('anthropic');
    expect(text).toContain('it is not a JSON object.');
  });
});

describe('a stream', () => {
  it("keeps the provider's headers and their spelling in the client's dialect", async () => {
    const headers = ['Content-Type', 'text/event-stream; charset=utf-8', 'X-A', '1'];
    const { handle } = runConfig(openai, { upstream: () => stubAnswer(`${content}data: [DONE]\n\n`, { headers }) });
    const response = await handle(sampleExchange(streamed));
    expect(response.headers).toEqual(headers);
    await receiveBody(response.body);
  });

  it('is reported as idle if it falls silent', async () => {
    const silent = new StubBody('');
    silent.start = (sink) => {
      sink.write(Buffer.from(content));
    };
    const { handle, clock } = runConfig(openai, {
      upstream: () => ({ kind: 'answer', status: 200, headers: eventStream, body: silent }),
    });
    const exchange = sampleExchange(streamed);
    const received = receiveBody((await handle(exchange)).body);
    clock.advance(120_000);
    expect((await received).bytes.toString()).toContain('"error"');
    expect(exchange.trail.at(-1)).toEqual({ kind: 'streamFailed', path: '', cause: 'stream-idle' });
  });

  it('runs through stages created for the request that it answers', async () => {
    const seen: Exchange[] = [];
    const plugin = definePlugin({
      name: 'stages',
      apply: (hooks) =>
        hooks.stream.tap('t', (stages) => {
          stages.push({
            reads: ['text'],
            holds: 'none',
            create: (exchange) => {
              seen.push(exchange);
              return { push: () => ({ do: 'release' }), end: () => ({ do: 'release' }) };
            },
          });
        }),
    });
    const { handle } = runConfig(openai, {
      upstream: () => stubAnswer(`${content}data: [DONE]\n\n`, { headers: eventStream }),
      plugins: [plugin],
    });
    const exchange = sampleExchange(streamed);
    const { bytes } = await receiveBody((await handle(exchange)).body);
    expect(bytes.toString()).toBe(`${content}data: [DONE]\n\n`);
    expect(seen.map(({ traceId }) => traceId)).toEqual([exchange.traceId]);
  });

  it('leaves neither a timer nor a listener for its client when it has ended', async () => {
    const client = createCountingCancellation();
    const { handle, clock } = runConfig(openai, {
      upstream: () => stubAnswer(`${content}data: [DONE]\n\n`, { headers: eventStream }),
    });
    const { body } = await handle(sampleExchange(streamed, { cancellation: client.cancellation }));
    await receiveBody(body);
    expect([client.listening, clock.pending]).toEqual([0, 0]);
  });

  it('is still a stream if its client disconnects as it begins, so that its end is reported', async () => {
    const { cancellation, cancel } = createCancellation();
    const body = new StubBody('');
    body.start = (sink) => {
      sink.write(Buffer.from(content));
      cancel();
    };
    const { handle } = runConfig(openai, {
      upstream: () => ({ kind: 'answer', status: 200, headers: eventStream, body }),
    });
    const response = await handle(sampleExchange(streamed, { cancellation }));
    const ends: string[] = [];
    if (response.body.kind === 'stream') {
      response.body.onEnd((end) => ends.push(end));
      response.body.discard();
    }
    expect(ends).toEqual(['left']);
  });
});

describe('a decoded body', () => {
  const plain = Buffer.from('words and words '.repeat(40_000));

  it('can be as large as the limit, and a larger one is reported with that limit', async () => {
    const decoded = () => new DecodedBody(new StubBody(gzipSync('four')), 'gzip', 'p');
    expect(await decoded().collect(4)).toEqual(Buffer.from('four'));
    expect(await decoded().collect(3)).toEqual({
      kind: 'failure',
      error: errorReport('answer-too-large', { limit: 3 }),
    });
  });

  it('stops its transfer if it is broken, and the error names its provider', async () => {
    const body = new StubBody('no gzip');
    const collected = await new DecodedBody(body, 'gzip', 'the-provider').collect(100);
    expect(JSON.stringify(collected)).toContain('the-provider');
    expect(body.discarded).toBe(true);
  });

  it('writes nothing to a sink that is full', async () => {
    let full = false;
    let overruns = 0;
    const turnsLater = (turns: number, then: () => void): void => {
      if (turns === 0) then();
      else setImmediate(() => turnsLater(turns - 1, then));
    };
    await new Promise<void>((done) => {
      const sink: Sink = {
        write: () => {
          if (full) overruns += 1;
          full = true;
          return false;
        },
        onDrain: (resume) =>
          turnsLater(20, () => {
            full = false;
            resume();
          }),
        end: done,
        fail: () => done(),
      };
      new DecodedBody(new StubBody(gzipSync(plain)), 'gzip', 'p').start(sink);
    });
    expect(overruns).toBe(0);
  });
});
