import { describe, expect, it } from 'vitest';
import { messages } from '../../../../plugins/dialects/messages/messages.ts';
import type { Dialect } from '../../../../plugins/sdk/dialect/dialect.ts';
import { findAnswerCodec } from '../../../../plugins/sdk/dialect/find-answer-codec.ts';
import { defineGuardrail, type Guardrail } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import type { Answer } from '../../../../schema/conversation/answer.ts';
import type { Part } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { answerEvents } from '../../../plugins/dialects/support/answer-events.ts';
import { answerOptions } from '../../../plugins/dialects/support/codecs.ts';
import { isSampled } from '../../../support/run/sampled-pairs.ts';
import { cutAt, never, neverInWindows, pairs, runStream, runWhole, toBytes, toFrames, toReadable } from './kit.ts';

const word = 'plutonium';
const config = { output_guardrails: [{ 'test.never': {}, deny: true }] };

const said = (text: string, quote?: string): Part =>
  quote === undefined
    ? { kind: 'text', text }
    : { kind: 'text', text, citations: [{ url: 'https://a.example', title: 'A page', quote }] };

const toAnswer = (parts: readonly Part[]): Answer => ({
  id: 'a1',
  model: 'm',
  created: 1,
  choices: [{ index: 0, parts, finish: { reason: 'stop' } }],
  usage: { input: 1, output: 2 },
  extensions: {},
});

/** Texts that contain the word only if they are read as one. */
const divided: Readonly<Record<string, readonly Part[]>> = {
  'two texts': [said('It is known that pluto'), said('nium is heavy.')],
  'three texts': [said('It is known that plu'), said('ton'), said('ium is heavy.')],
  'two texts with sources': [said('It is pluto', 'Heavy.'), said('nium, which is heavy.', 'Very heavy.')],
};

const readInteger = (dialect: Dialect, answer: Answer): JsonObject =>
  findAnswerCodec(dialect)?.encodeAnswer(answer, { ...answerOptions, strict: false }) ?? {};

const conversing = pairs
  .filter(({ client }) => client.conversation !== undefined)
  .map((pair, pairAt) => ({ ...pair, pairAt }));

const modes: readonly (readonly [string, Guardrail])[] = [
  ['in windows', neverInWindows(word)],
  ['as a whole', never(word)],
];

describe.each(conversing)('a denied word that is divided between texts, of $name,', ({ client, upstream, pairAt }) => {
  const cases = Object.entries(divided);

  it.each(cases)('is denied in a whole answer of %s', async (_name, parts) => {
    const answer = readInteger(upstream, toAnswer(parts));
    const { status } = await runWhole({ client, upstream, answer, guardrails: [never(word)], config });
    expect(status).toBe(446);
  });

  const judged = modes.flatMap(([mode, guardrail]) =>
    cases.map(([name, parts], at) => [mode, name, { guardrail, parts, at }] as const),
  );

  it.each(judged)('is denied in a stream that is judged %s, of %s', async (_mode, _name, { guardrail, parts, at }) => {
    for (const size of [1, 3, 40].filter((_, sizeAt) => isSampled(pairAt + at, sizeAt, 3))) {
      const bytes = toBytes(upstream, toFrames(upstream, answerEvents(toAnswer(parts), { size })));
      const { frames, trail } = await runStream({
        client,
        upstream,
        chunks: cutAt(bytes, [bytes.length >> 1]),
        guardrails: [guardrail],
        config,
      });
      expect(toReadable(frames).filter((text) => text.includes('nium'))).toEqual([]);
      expect(trail.findLast(({ kind }) => kind === 'checked')).toMatchObject({ result: 'denied' });
    }
  });
});

/** Passes texts that do not contain the word as a separate word. */
const neverAlone = (overlap?: number): Guardrail =>
  defineGuardrail({
    id: 'test.never',
    parameters: { type: 'object' },
    ...(overlap === undefined ? {} : { parts: () => ({ overlap }) }),
    create:
      () =>
      ({ text }) => ({ pass: !/\bplutonium\b/.test(text), data: {} }),
  });

const ownBlocks: Readonly<Record<string, readonly Part[]>> = {
  'at the end of a block': [said('It is plutonium'), said('or so.')],
  'at the beginning of a block': [said('Of some'), said('plutonium is heavy, and so are others.')],
};

describe('a denied word in a block of its own', () => {
  it.each(Object.entries(ownBlocks))(
    'is denied %s, even though it would not be a word if the blocks were joined',
    async (_at, parts) => {
      const pair = { client: messages, upstream: messages };
      const answer = readInteger(messages, toAnswer(parts));
      expect((await runWhole({ ...pair, answer, guardrails: [neverAlone()], config })).status).toBe(446);
      const bytes = toBytes(messages, toFrames(messages, answerEvents(toAnswer(parts), { size: 4 })));
      const { frames, trail } = await runStream({ ...pair, chunks: [bytes], guardrails: [neverAlone(12)], config });
      expect(toReadable(frames).filter((text) => text.includes(word))).toEqual([]);
      expect(trail.findLast(({ kind }) => kind === 'checked')).toMatchObject({ result: 'denied' });
    },
  );
});

/** Replaces the word if it is a separate word. */
const replacing = (overlap?: number): Guardrail =>
  defineGuardrail({
    id: 'test.replace',
    parameters: { type: 'object' },
    rewrites: () => true,
    ...(overlap === undefined ? {} : { parts: () => ({ overlap }) }),
    create:
      () =>
      ({ spans }) => ({
        pass: true,
        data: {},
        replace: spans.flatMap(({ text }, span) =>
          [...text.matchAll(/\bplutonium\b/g)].map(({ index }) => ({
            ...{ span, from: index, to: index + word.length },
            with: '[METAL]',
          })),
        ),
      }),
  });

describe('a word that a check replaces, in a block of its own', () => {
  it.each(
    Object.entries(ownBlocks).flatMap(([at, parts]) =>
      [undefined, 9, 40].map((overlap) => [at, overlap, parts] as const),
    ),
  )('is replaced in a stream %s, with an overlap of %s', async (_at, overlap, parts) => {
    for (const size of [4, 60]) {
      const bytes = toBytes(messages, toFrames(messages, answerEvents(toAnswer(parts), { size })));
      const { frames } = await runStream({
        ...{ client: messages, upstream: messages, chunks: [bytes] },
        ...{ guardrails: [replacing(overlap)], config: { output_guardrails: [{ 'test.replace': {} }] } },
      });
      const read = toReadable(frames);
      expect(read.filter((text) => text.includes('nium'))).toEqual([]);
      expect(read.filter((text) => text.includes('[METAL]')).length).toBeGreaterThan(0);
    }
  });
});
