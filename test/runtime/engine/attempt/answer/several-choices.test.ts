import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { chat } from '../../../../../plugins/dialects/chat/chat.ts';
import { gemini } from '../../../../../plugins/dialects/gemini/gemini.ts';
import type { Dialect, Frame } from '../../../../../plugins/sdk/dialect/dialect.ts';
import { framings } from '../../../../../plugins/sdk/framings/framings.ts';
import { providerFraming } from '../../../../../plugins/sdk/framings/provider-framing.ts';
import { defineGuardrail, pass } from '../../../../../plugins/sdk/guardrail/guardrail.ts';
import type { SendableForm } from '../../../../../plugins/sdk/http/http.ts';
import { receiveBody } from '../../../../../plugins/testkit/route/received-body.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { runConfig } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';
import { TornBench, type TornRoad } from '../../../../support/torn/torn-bench.ts';

type Say = (choice: number, text: string, isLast?: boolean) => Frame;

const said: Readonly<Record<'chat' | 'gemini', Say>> = {
  chat: (index, content, isLast = false) => ({
    data: JSON.stringify({
      id: 'c',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [{ index, delta: isLast ? {} : { content }, finish_reason: isLast ? 'stop' : null }],
    }),
  }),
  gemini: (index, text, isLast = false) => ({
    data: JSON.stringify({
      candidates: [
        { index, content: { role: 'model', parts: [{ text }] }, ...(isLast ? { finishReason: 'STOP' } : {}) },
      ],
    }),
  }),
};

const guardrail = defineGuardrail({
  id: 'test.passes',
  parameters: { type: 'object' },
  parts: () => ({ overlap: 3 }),
  create: () => () => pass(),
});

const roads: readonly (readonly [string, Dialect, Partial<TornRoad>])[] = [chat, gemini].flatMap((dialect) => [
  [`${dialect.id}, as bytes`, dialect, {}] as const,
  [
    `${dialect.id}, judged`,
    dialect,
    { config: { output_guardrails: [{ 'test.passes': {}, deny: true }] }, guardrails: [guardrail] },
  ] as const,
]);

describe.each(roads)('a stream of %s', (_name, dialect, more) => {
  const say = said[dialect === chat ? 'chat' : 'gemini'];
  const writer = providerFraming(dialect).createWriter();

  const run = async (frames: readonly Frame[], params: JsonObject, inOne = false) => {
    const config = { ...more.config, override_params: params };
    const chunks = frames.map((frame) => writer.write([frame]));
    const bench = new TornBench({ ...more, client: dialect, upstream: dialect, config });
    const { status, end, again } = await bench.run(inOne ? [Buffer.concat(chunks)] : chunks, 'end');
    return { status, end, again };
  };

  const whole = { status: 200, end: 'complete', again: 'HIT' };
  const [one, other] = [
    [say(0, 'It '), say(0, 'rains.'), say(0, '', true)],
    [say(1, 'So '), say(1, 'it does.'), say(1, '', true)],
  ] as const;
  const mixed = [one[0], other[0], one[1], other[1], one[2], other[2]];

  it.each([false, true])('is broken if it ends before each of its choices does, in one chunk: %s', async (inOne) => {
    for (const frames of [one, [...one, ...other.slice(0, -1)], mixed.slice(0, -1), [...other.slice(0, 1), ...one]]) {
      const outcome = await run(frames, { n: 2 }, inOne);
      expect([outcome.end, outcome.again]).toEqual([outcome.status === 200 ? 'failed' : 'refused', 'MISS']);
    }
  });

  it.each([false, true])('is complete if every choice has ended, in one chunk: %s', async (inOne) => {
    for (const frames of [[...one, ...other], mixed]) expect(await run(frames, { n: 2 }, inOne)).toEqual(whole);
  });

  it('is complete with one choice unless a larger whole number was requested', async () => {
    for (const params of [{}, { n: 1 }, { n: 0 }, { n: 1.5 }]) expect(await run(one, params)).toEqual(whole);
  });

  it.runIf(dialect === chat)('is complete with fewer choices than requested if it marks its own end', async () => {
    expect(await run([...one, { data: '[DONE]' }], { n: 2 })).toEqual(whole);
  });

  it.runIf(dialect === gemini)('is complete if its prompt was refused', async () => {
    const refused = { data: JSON.stringify({ promptFeedback: { blockReason: 'SAFETY' } }) };
    expect(await run([refused], { n: 2 })).toMatchObject({ status: 200, end: 'complete' });
  });
});

describe('a stream of images for a form', () => {
  const stream = async (fields: JsonObject, completed: number) => {
    const event = { event: 'image_edit.completed', data: '{"type":"image_edit.completed","b64_json":"iVBORw0KGgo="}' };
    const bytes = framings.sse.createWriter().write(Array.from({ length: completed }, () => event));
    const { handle } = runConfig(
      { provider: 'openai', api_key: '${env:KEY}' },
      { upstream: () => stubAnswer(bytes, { headers: ['content-type', 'text/event-stream'] }) },
    );
    const form: SendableForm = {
      ...{ contentType: 'multipart/form-data; boundary=b', length: 0, fields: { stream: true, ...fields } },
      withFields: () => form,
      open: () => Readable.from([], { objectMode: false }),
    };
    const exchange = sampleExchange(form.fields, { route: { operation: 'image', dialect: 'image-edits' } });
    const request = { ...exchange.request, body: { kind: 'form', form } } as const;
    const { body } = await handle({ ...exchange, request });
    const ends: string[] = [];
    if (body.kind === 'stream') body.onEnd((end) => ends.push(end));
    await receiveBody(body);
    return ends;
  };

  it('is complete only if every requested image has come', async () => {
    expect(await stream({}, 1)).toEqual(['complete']);
    expect(await stream({ n: '2' }, 2)).toEqual(['complete']);
    expect(await stream({ n: '2' }, 1)).toEqual(['failed']);
  });
});
