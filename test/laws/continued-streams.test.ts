import { describe, expect, it } from 'vitest';
import { chat } from '../../plugins/dialects/chat/chat.ts';
import { cohere } from '../../plugins/dialects/cohere/cohere.ts';
import { converse } from '../../plugins/dialects/converse/converse.ts';
import { gemini } from '../../plugins/dialects/gemini/gemini.ts';
import { messages } from '../../plugins/dialects/messages/messages.ts';
import { responses } from '../../plugins/dialects/responses/responses.ts';
import type { Dialect } from '../../plugins/sdk/dialect/dialect.ts';
import type { AnswerEvent } from '../../schema/conversation/answer.ts';
import { foldAnswer } from '../../schema/conversation/fold-answer.ts';
import { summedUsage } from '../../schema/conversation/summed-usage.ts';
import { ContinuedBench, type ContinuedOutcome } from '../support/continued/continued-bench.ts';
import { plainFrames } from '../support/continued/plain-frames.ts';
import { slowLawMs } from '../support/run/law-runs.ts';
import { isSampled } from '../support/run/sampled-pairs.ts';
import { wholeStreams } from '../support/torn/whole-streams.ts';

const dialects: readonly Dialect[] = [chat, messages, responses, cohere, converse, gemini];

const rest = 'and this is where it goes on.';
const count = (events: readonly AnswerEvent[], kind: AnswerEvent['kind']): number =>
  events.filter((event) => event.kind === kind).length;

const settledUsage = ({ trail }: ContinuedOutcome): { readonly input: number; readonly output: number } => {
  const used = trail.flatMap((event) => (event.kind === 'settled' ? [event.usage] : []));
  const { input, output } = summedUsage(used.map((each) => ({ input: each.input.total, output: each.output.total })));
  return { input, output };
};

const reasons = ({ trail }: ContinuedOutcome): readonly string[] =>
  trail.flatMap((event) => (event.kind === 'notContinued' ? [event.reason] : []));

const hasContinued = ({ trail }: ContinuedOutcome): boolean => trail.some(({ kind }) => kind === 'continued');

/** A bench in which no other target continues the stream. */
const alone = (client: Dialect, upstreams: readonly Dialect[]): ContinuedBench =>
  new ContinuedBench({ client, upstreams, config: { strategy: { mode: 'fallback' } } });

const expectOneAnswer = (outcome: ContinuedOutcome, before: ContinuedOutcome): void => {
  const { events, text, end, sent, trailers } = outcome;
  expect(text).toBe(before.text + rest);
  expect(end).toBe('complete');
  expect([count(events, 'start'), count(events, 'finish'), count(events, 'error'), count(events, 'end')]).toEqual([
    ...[1, 1, 0, 1],
  ]);
  const whole = foldAnswer(events);
  const first = before.events.find((event) => event.kind === 'start');
  // If the first stream began with something that the client's dialect cannot express, the client knows no id.
  if (first !== undefined) expect([whole.id, whole.model]).toEqual([first.id, first.model]);
  expect({ input: whole.usage?.input ?? 0, output: whole.usage?.output ?? 0 }).toEqual(settledUsage(outcome));
  expect(sent.map(([name]) => name)).toEqual(['first', 'second']);
  if (before.text.trim() !== '') expect(sent[1]?.[1]).toContain(JSON.stringify(before.text.trimEnd()).slice(1, -1));
  expect(trailers).toEqual([['x-gw-continued', 'config.targets[1]']]);
};

describe.each(dialects.map((dialect, at) => [dialect.id, dialect, at] as const))(
  'a client of the %s dialect',
  { timeout: slowLawMs },
  (_id, client, clientAt) => {
    const upstreams = dialects.filter((_, at) => isSampled(clientAt, at, 2));
    const asksUsage = client === chat ? { stream_options: { include_usage: true } } : {};

    it.each(upstreams.map((dialect) => [dialect.id, dialect] as const))(
      'gets one continued answer if a %s stream is cut at any event, or the error with a reason in the trail',
      async (_upstream, upstream) => {
        const seconds = dialects.map((second) => ({
          frames: plainFrames(second, rest),
          bench: new ContinuedBench({ client, upstreams: [upstream, second] }),
        }));
        const single = alone(client, [upstream, upstream]);
        const streams = [{ name: 'plain', frames: plainFrames(upstream, 'This is how it begins, ') }];
        let [runs, continued] = [0, 0];
        for (const { name, frames } of [...streams, ...wholeStreams(upstream)])
          for (const at of frames.keys()) {
            const first = { frames: frames.slice(0, at), end: 'cut' } as const;
            const before = await single.run([first, { frames: [], end: 'cut' }], asksUsage);
            // Nothing had been sent yet, so this is an ordinary fallback.
            if (before.end !== 'failed') continue;
            const { bench, frames: others } = seconds[runs % seconds.length] ?? expect.unreachable();
            runs += 1;
            const outcome = await bench.run([first, { frames: others, end: 'complete' }], asksUsage);
            if (hasContinued(outcome)) {
              continued += 1;
              expectOneAnswer(outcome, before);
            } else {
              expect([name, at, outcome.bytes]).toEqual([name, at, before.bytes]);
              expect(reasons(outcome)).toEqual([
                expect.stringMatching(/^(?:tool-call|reasoning|finished|refusal|media|unreadable)$/),
              ]);
            }
          }
        expect(continued).toBeGreaterThan(2);
      },
    );
  },
);
