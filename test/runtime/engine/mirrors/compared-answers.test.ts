import { expect, it } from 'vitest';
import { chat } from '../../../../plugins/dialects/chat/chat.ts';
import { defineGuardrail, pass } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { ContinuedBench, type SentStream } from '../../../support/continued/continued-bench.ts';
import { plainFrames } from '../../../support/continued/plain-frames.ts';

const frames = plainFrames(chat, 'Once upon a time in the West');
const whole: SentStream = { frames, end: 'complete' };
const cut: SentStream = { frames: frames.slice(0, 3), end: 'cut' };

/** Returns the client's answers with which the answers to copies, sent by the last target, are compared. */
const compared = async (config: JsonObject, streams: readonly SentStream[]): Promise<readonly string[]> => {
  const references: string[] = [];
  const compare = defineGuardrail({
    id: 'test.compare',
    parameters: { type: 'object', properties: {} },
    comparesAnswers: true,
    create:
      () =>
      ({ reference = '' }) => {
        references.push(reference);
        return pass();
      },
  });
  const upstreams = streams.map(() => chat);
  const bench = new ContinuedBench({ client: chat, upstreams, config, guardrails: [compare] });
  const { sent } = await bench.run(streams);
  await bench.wait();
  expect(sent).toHaveLength(streams.length);
  return references;
};

const mirror = (provider: string) => ({
  percent: 100,
  target: { provider },
  checks: [{ 'test.compare': {} }],
});

const mirrored = { strategy: { mode: 'single' }, targets: [{ provider: 'first' }], mirror: mirror('second') };

it('compares the answer to a copy with a stream that has ended', async () => {
  expect(await compared(mirrored, [whole, whole])).toEqual(['Once upon a time in the West']);
});

it('compares nothing with a stream that broke off', async () => {
  expect(await compared(mirrored, [cut, whole])).toEqual([]);
});

it('compares nothing with the rest of a stream that broke off elsewhere', async () => {
  const config = {
    strategy: { mode: 'fallback', continue: true },
    targets: [{ provider: 'first' }, { provider: 'second', mirror: mirror('third') }],
  };
  expect(await compared(config, [cut, whole, whole])).toEqual([]);
});
