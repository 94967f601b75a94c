import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../../../plugins/sdk/exchange/exchange.ts';
import type { Sink } from '../../../../../plugins/sdk/http/http.ts';
import { definePlugin } from '../../../../../plugins/sdk/plugin/plugin.ts';
import { createCancellation } from '../../../../../plugins/testkit/route/cancellation.ts';
import { receiveBody } from '../../../../../plugins/testkit/route/received-body.ts';
import { DecodedBody } from '../../../../../runtime/engine/attempt/answer/decoded-body.ts';
import { errorReport } from '../../../../../schema/errors/errors.ts';
import { runConfig, toJson } from '../../../../support/run-config.ts';
import { sampleExchange } from '../../../../support/sample-exchange.ts';
import { StubBody, stubAnswer } from '../../../../support/stub-upstreams.ts';

const openai = { provider: 'openai', api_key: '${env:KEY}' };
const anthropic = { provider: 'anthropic', api_key: '${env:KEY}' };
const question = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const streamed = { ...question, stream: true };
const eventStream = ['content-type', 'text/event-stream'];
const content = 'data: {"id":"a","choices":[{"index":0,"delta":{"content":"x"},"finish_reason":null}]}\n\n';

describe('an answer', () => {
  it('of which the provider says that it has no encoding is as it came', async () => {
    const headers = ['X-A', '1', 'Content-Encoding', 'identity'];
    const { handle } = runConfig(openai, { upstream: () => stubAnswer('{"plain":1}', { headers }) });
    const response = await handle(sampleExchange(question));
    expect(response.headers).toEqual(['X-A', '1']);
    expect(toJson(response)).toEqual({ plain: 1 });
  });

  it('that is not a success is read whole, whatever its type', async () => {
    const { handle } = runConfig(openai, { upstream: () => stubAnswer('slow', { status: 429, headers: eventStream }) });
    const response = await handle(sampleExchange(streamed));
    expect(response).toMatchObject({ status: 429, origin: 'upstream', body: { bytes: Buffer.from('slow') } });
  });

  it.each([301, 302, 303, 307, 308])('that redirects is a failure, and names the host alone: %i', async (status) => {
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
  });

  it('of such a status that names no address is passed on', async () => {
    const { handle } = runConfig(openai, { upstream: () => stubAnswer('{"a":1}', { status: 300 }) });
    expect(await handle(sampleExchange(question))).toMatchObject({ status: 300, origin: 'upstream' });
  });

  it('that is passed through ends well, however long after its head', async () => {
    const { handle, clock } = runConfig({ ...openai, request_timeout: 50 }, { upstream: () => stubAnswer('slow') });
    const { body } = await handle(sampleExchange({}, { route: { operation: 'opaque' } }));
    const ends: string[] = [];
    if (body.kind === 'stream') body.onEnd((end) => ends.push(end));
    clock.advance(1000);
    await receiveBody(body);
    expect(ends).toEqual(['complete']);
  });

  it('in another dialect has the type of what it is made into, and the other headers as they came', async () => {
    const headers = ['X-A', '1', 'Content-Type', 'application/json; charset=utf-8'];
    const wire = { type: 'error', error: { type: 'api_error', message: 'Down.' } };
    const { handle } = runConfig(anthropic, { upstream: () => stubAnswer(wire, { status: 500, headers }) });
    const response = await handle(sampleExchange(question));
    expect(response.headers).toEqual(['X-A', '1', 'content-type', 'application/json']);
    expect(response.origin).toBe('upstream');
  });

  it('in another dialect that is not an object is unreadable, and its provider is named', async () => {
    const { handle } = runConfig(anthropic, { upstream: () => stubAnswer('[]') });
    const told = JSON.stringify(toJson(await handle(sampleExchange(question))));
    expect(told).toContain('anthropic');
    expect(told).toContain('it is not a JSON object.');
  });
});

describe('a stream', () => {
  it("in the client's dialect keeps the provider's headers as they are spelled", async () => {
    const headers = ['Content-Type', 'text/event-stream; charset=utf-8', 'X-A', '1'];
    const { handle } = runConfig(openai, { upstream: () => stubAnswer(`${content}data: [DONE]\n\n`, { headers }) });
    const response = await handle(sampleExchange(streamed));
    expect(response.headers).toEqual(headers);
    await receiveBody(response.body);
  });

  it('that falls silent is reported as such', async () => {
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

  it('is staged for the request that it answers', async () => {
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

  it('whose client leaves as it begins is still a stream, for its end to be heard', async () => {
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

describe('a body without its encoding', () => {
  const plain = Buffer.from('words and words '.repeat(40_000));

  it('may be as large as the limit, and a larger one is reported with it', async () => {
    const decoded = () => new DecodedBody(new StubBody(gzipSync('four')), 'gzip', 'p');
    expect(await decoded().collect(4)).toEqual(Buffer.from('four'));
    expect(await decoded().collect(3)).toEqual({
      kind: 'failure',
      error: errorReport('answer-too-large', { limit: 3 }),
    });
  });

  it('that is broken stops its transfer, and its provider is named', async () => {
    const body = new StubBody('no gzip');
    const collected = await new DecodedBody(body, 'gzip', 'the-provider').collect(100);
    expect(JSON.stringify(collected)).toContain('the-provider');
    expect(body.discarded).toBe(true);
  });

  it('gives nothing to a sink that is full', async () => {
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
