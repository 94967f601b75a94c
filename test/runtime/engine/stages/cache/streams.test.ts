import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../../../plugins/sdk/exchange/exchange.ts';
import { defineGuardrail, fail, pass } from '../../../../../plugins/sdk/guardrail/guardrail.ts';
import type { Sink } from '../../../../../plugins/sdk/http/http.ts';
import { definePlugin } from '../../../../../plugins/sdk/plugin/plugin.ts';
import { receiveBody } from '../../../../../plugins/testkit/route/received-body.ts';
import { errorReport } from '../../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { type ConfigWorld, type RunningConfig, runConfig } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { StubBody, stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';
import { openaiStream } from '../../../../support/vendors/openai-wire.ts';

const openai: JsonObject = { provider: 'openai', api_key: '${env:KEY}', cache: { mode: 'simple' } };
const question = { model: 'm', stream: true, messages: [{ role: 'user', content: 'hi' }] };
const asking = (given: Partial<Exchange> = {}): Exchange => sampleExchange(question, { ...given, trail: [] });

const sse = ['content-type', 'text/event-stream; charset=utf-8', 'x-request-id', 'r1'];

/** Streams that contain the number of their call. */
const streaming = (config: JsonObject = openai, more: Partial<ConfigWorld> = {}): RunningConfig => {
  let calls = 0;
  return runConfig(config, {
    upstream: () => {
      calls += 1;
      return stubAnswer(openaiStream({ text: `This is call ${calls}.` }).join(''), { headers: sse });
    },
    ...more,
  });
};

interface Received {
  readonly text: string;
  readonly cache: string | undefined;
  readonly headers: readonly string[];
}

const received = async (running: RunningConfig, exchange: Exchange = asking()): Promise<Received> => {
  const { body, leaf, headers } = await running.handle(exchange);
  const { bytes } = await running.clock.settle(receiveBody(body));
  return { text: Buffer.from(bytes).toString(), cache: leaf?.cache, headers };
};

const said = (index: number, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index, delta: { content: 'word ' }, finish_reason: finish }] })}\n\n`;
const manyWords = Array.from({ length: 100 }, () => said(0));

describe('a stream that is cached', () => {
  it.each([
    ['at its end', [...manyWords, said(0, 'stop'), 'data: [DONE]\n\n']],
    ['before many comments', [...manyWords, said(0, 'stop'), ': wait\n\n'.repeat(1000), 'data: [DONE]\n\n']],
    ['in the only frame', [said(0, 'length')]],
  ])('has its finish reason %s', async (_what, frames) => {
    const running = streaming(openai, { upstream: () => stubAnswer(frames.join(''), { headers: sse }) });
    await received(running);
    expect(await received(running)).toMatchObject({ cache: 'HIT', text: frames.join('') });
  });

  it('is sent again byte for byte, with its type and age', async () => {
    const running = streaming();
    const first = await received(running);
    const second = await received(running);
    expect([first.cache, second.cache]).toEqual(['MISS', 'HIT']);
    expect(second.text).toBe(first.text);
    expect(second.text).toContain('[DONE]');
    expect(second.headers).toEqual(['content-type', 'text/event-stream; charset=utf-8', 'age', '0']);
  });

  it('is sent in one write, and ends when the client has taken it', async () => {
    const running = streaming();
    const { text } = await received(running);
    const { body } = await running.handle(asking());
    const events: string[] = [];
    let resume = (): void => {};
    const sink: Sink = {
      write: (chunk) => {
        events.push(Buffer.from(chunk).toString());
        return false;
      },
      onDrain: (listener) => {
        resume = listener;
      },
      end: () => events.push('end'),
      fail: () => events.push('fail'),
    };
    if (body.kind === 'stream') {
      body.onEnd((end) => events.push(end));
      body.start(sink);
    }
    expect(events).toEqual([text]);
    resume();
    expect(events).toEqual([text, 'end', 'complete']);
  });

  it('does not answer a request for a whole answer', async () => {
    const running = streaming();
    await received(running);
    const { stream: _stream, ...whole } = question;
    expect((await running.handle(sampleExchange(whole))).leaf?.cache).toBe('MISS');
  });
});

describe('a stream that is not cached', () => {
  it('was discarded by its client', async () => {
    const running = streaming();
    const { body } = await running.handle(asking());
    if (body.kind === 'stream') body.discard();
    expect((await received(running)).cache).toBe('MISS');
  });

  it('was cut', async () => {
    const frames = openaiStream({ text: 'It breaks off.' });
    const cut = frames.slice(0, 3).join('');
    const running = streaming(openai, { upstream: () => stubAnswer(cut, { headers: sse }) });
    await received(running);
    expect((await received(running)).cache).toBe('MISS');
    expect(running.upstreams.requests).toHaveLength(2);
  });

  it.each([
    ['nothing but its end', ['data: [DONE]\n\n']],
    ['no choice', ['data: {"id":"a","model":"m","choices":[]}\n\n', 'data: [DONE]\n\n']],
    ['a choice without a finish reason', [said(0), 'data: [DONE]\n\n']],
    ['a choice with an empty finish reason', [said(0, ''), 'data: [DONE]\n\n']],
    ['many words without a finish reason', [...manyWords, 'data: [DONE]\n\n']],
    ['a second choice without a finish reason', [said(1), said(0, 'stop'), 'data: [DONE]\n\n']],
  ])('has %s', async (_what, frames) => {
    const running = streaming(openai, { upstream: () => stubAnswer(frames.join(''), { headers: sse }) });
    expect((await received(running)).text).toBe(frames.join(''));
    expect((await received(running)).cache).toBe('MISS');
    expect(running.upstreams.requests).toHaveLength(2);
  });

  it('is larger than a tenth of the cache', async () => {
    const running = streaming(openai, { cache: { maxBytes: 5000 } });
    const { text } = await received(running);
    expect(text.length).toBeGreaterThan(500);
    expect((await received(running)).cache).toBe('MISS');
  });

  it('has failed an output check, even if that denied nothing', async () => {
    const judging = (isPass: boolean): RunningConfig => {
      const guardrail = defineGuardrail({
        id: 'test.judges',
        parameters: { type: 'object', properties: {} },
        create: () => () => (isPass ? pass() : fail('no')),
      });
      return streaming(
        { ...openai, output_guardrails: [{ 'test.judges': {} }] },
        { plugins: [definePlugin({ name: 'test', guardrails: [guardrail] })] },
      );
    };
    for (const [isPass, status] of [
      [true, 'HIT'],
      [false, 'MISS'],
    ] as const) {
      const running = judging(isPass);
      expect((await received(running)).cache).toBe('MISS');
      expect((await received(running)).cache).toBe(status);
    }
  });

  it('has a part that no check could judge, even if the whole was judged', async () => {
    let calls = 0;
    const guardrail = defineGuardrail({
      id: 'test.stumbles',
      parameters: { type: 'object', properties: {} },
      parts: () => ({ overlap: 2 }),
      create: () => () => {
        calls += 1;
        if (calls === 2) throw new Error('The service is unavailable.');
        return pass();
      },
    });
    const running = streaming(
      { ...openai, output_guardrails: [{ 'test.stumbles': {}, deny: true }] },
      { plugins: [definePlugin({ name: 'test', guardrails: [guardrail] })] },
    );
    const statuses = [];
    for (let call = 0; call < 3; call += 1) statuses.push((await received(running)).cache);
    expect(statuses).toEqual(['MISS', 'MISS', 'HIT']);
  });

  it('contains its usage or the results of checks, which belong to one call', async () => {
    const guardrail = defineGuardrail({
      id: 'test.passes',
      parameters: { type: 'object', properties: {} },
      create: () => () => pass(),
    });
    const guarded = streaming(
      { ...openai, input_guardrails: [{ 'test.passes': {} }] },
      { plugins: [definePlugin({ name: 'test', guardrails: [guardrail] })] },
    );
    const loose = { overrides: { strict: false } };
    expect((await received(guarded, asking(loose))).cache).toBe('DISABLED');
    expect((await received(guarded)).cache).toBe('MISS');
    expect((await received(streaming(), asking({ overrides: { usage: true } }))).cache).toBe('DISABLED');
  });
});

describe('an answer that is passed on as it arrives, although no stream was requested', () => {
  const speaking = { operation: 'speech', dialect: 'speech' } as const;
  const asked: JsonObject = { model: 'tts-1', voice: 'alloy', input: 'Say it.' };
  const spoken = (given: Partial<Exchange> = {}): Exchange => {
    const request = {
      ...{ method: 'POST', path: '/audio/speech', headers: [] },
      body: { kind: 'bytes', bytes: Buffer.from(JSON.stringify(asked)) },
    } as const;
    return sampleExchange(asked, { route: speaking, request, ...given, trail: [] });
  };
  const sounds = (cut?: 'cut'): RunningConfig => {
    let calls = 0;
    return runConfig(openai, {
      upstream: () => {
        calls += 1;
        const answer = stubAnswer(`sound ${calls}`, { headers: ['content-type', 'audio/mpeg'] });
        if (cut === undefined || answer.kind !== 'answer') return answer;
        return { ...answer, body: new StubBody('half', errorReport('stream-cut', {})) };
      },
    });
  };

  it('is stored with its type and returned again', async () => {
    const running = sounds();
    expect([await received(running, spoken()), await received(running, spoken())]).toMatchObject([
      { cache: 'MISS', text: 'sound 1' },
      { cache: 'HIT', text: 'sound 1', headers: ['content-type', 'audio/mpeg', 'age', '0'] },
    ]);
    const refreshed = await received(running, spoken({ overrides: { cacheRefresh: true } }));
    expect(refreshed).toMatchObject({ cache: 'REFRESH', text: 'sound 2' });
    expect(await received(running, spoken())).toMatchObject({ cache: 'HIT', text: 'sound 2' });
  });

  it('is not stored if it was cut', async () => {
    const running = sounds('cut');
    for (const _ of [1, 2]) expect(await received(running, spoken())).toMatchObject({ cache: 'MISS', text: 'half' });
    expect(running.upstreams.requests).toHaveLength(2);
  });
});
