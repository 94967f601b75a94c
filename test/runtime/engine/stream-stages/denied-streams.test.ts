import { describe, expect, it } from 'vitest';
import type { Guardrail } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import type { Answer } from '../../../../schema/conversation/answer.ts';
import type { Part } from '../../../../schema/conversation/conversation.ts';
import { answerEvents } from '../../../plugins/dialects/support/answer-events.ts';
import { isSampled } from '../../../support/run/sampled-pairs.ts';
import { cutAt, never, neverInWindows, pairs, runStream, toBytes, toFrames, toReadable } from './kit.ts';

const word = 'plutonium';
const config = { output_guardrails: [{ 'test.never': {}, deny: true }] };

const toAnswer = (...parts: readonly Part[]): Answer => ({
  id: 'a1',
  model: 'm',
  created: 1,
  choices: [{ index: 0, parts, finish: { reason: 'stop' } }],
  usage: { input: 1, output: 2 },
  extensions: {},
});

const call = (text: string): Part => ({ kind: 'tool-call', id: 'c1', name: 'tell', arguments: text });
const before = 'It is known that ';

/** Places where the word can be. */
const kinds: Readonly<Record<string, readonly Part[]>> = {
  text: [{ kind: 'text', text: `${before}${word} is heavy.` }],
  'the last characters': [{ kind: 'text', text: before + word }],
  'a text after reasoning': [
    { kind: 'reasoning', text: 'Let me think of it.' },
    { kind: 'text', text: `${before}${word}.` },
  ],
  reasoning: [
    { kind: 'reasoning', text: `Perhaps it is ${word}, or not.` },
    { kind: 'text', text: 'I do not know.' },
  ],
  'tool arguments': [{ kind: 'text', text: 'Wait.' }, call(`{"element":"${word}","n":1}`)],
  'escaped tool arguments': [call('{"element":"\\u0070luton\\u0069um","n":1}')],
  'a key of tool arguments': [call(`{"${word}":1}`)],
};

const modes: readonly { readonly mode: string; readonly guardrail: Guardrail }[] = [
  { mode: 'in windows', guardrail: neverInWindows(word) },
  { mode: 'whole', guardrail: never(word) },
];

const isCarried = (kind: string, ids: readonly string[]): boolean => {
  if (ids.includes('completions')) return kind === 'text' || kind === 'the last characters';
  return true;
};

const numbered = pairs.map((pair, pairAt) => ({ ...pair, pairAt }));

describe.each(modes)('a denied word in an answer that is judged $mode', ({ mode, guardrail }) => {
  describe.each(numbered)('of $name', ({ client, upstream, pairAt }) => {
    const cases = Object.entries(kinds)
      .filter(([kind]) => isCarried(kind, [client.id, upstream.id]))
      .map((each, at) => [...each, at] as const);

    it.each(cases)('reaches no client in %s, wherever it is cut', async (kind, parts, at) => {
      for (const size of [1, 2, 5, 11].filter((_, sizeAt) => isSampled(at + pairAt, sizeAt, 4))) {
        const frames = toFrames(upstream, answerEvents(toAnswer(...parts), { size }));
        const bytes = toBytes(upstream, frames);
        const result = await runStream({
          client,
          upstream,
          chunks: cutAt(bytes, [size * 7, bytes.length >> 1, bytes.length - size]),
          guardrails: [guardrail],
          config,
        });
        expect(toReadable(result.frames).filter((text) => text.includes(word))).toEqual([]);
        expect(result.bytes.toString('latin1')).not.toContain(word);
        expect(result.trail.findLast(({ kind: event }) => event === 'checked')).toMatchObject({ result: 'denied' });
        if (mode === 'whole' || result.frames.length === 0) expect([kind, result.status]).toEqual([kind, 446]);
        else expect(JSON.stringify(result.frames.at(-1))).toMatch(/denied this answer/);
      }
    });
  });
});
