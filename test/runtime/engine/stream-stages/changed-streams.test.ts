import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chat } from '../../../../plugins/dialects/chat/chat.ts';
import { gemini } from '../../../../plugins/dialects/gemini/gemini.ts';
import type { Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import { findAnswerCodec } from '../../../../plugins/sdk/dialect/find-answer-codec.ts';
import { defineGuardrail, type Guardrail, type Replacement } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import type { Answer } from '../../../../schema/conversation/answer.ts';
import type { Part } from '../../../../schema/conversation/conversation.ts';
import { foldAnswer } from '../../../../schema/conversation/fold-answer.ts';
import { answerEvents } from '../../../plugins/dialects/support/answer-events.ts';
import { here } from '../../../plugins/dialects/support/codecs.ts';
import { lawRuns, slowLawMs } from '../../../support/run/law-runs.ts';
import { isSampled } from '../../../support/run/sampled-pairs.ts';
import { cutAt, pairs, runStream, type StreamedResult, type StreamRun, toBytes, toFrames, toReadable } from './kit.ts';

const secret = 'ann@example.org';
const mark = '[EMAIL]';

const found = (text: string, span: number): readonly Replacement[] => {
  const at: Replacement[] = [];
  for (let from = text.indexOf(secret); from !== -1; from = text.indexOf(secret, from + 1))
    at.push({ span, from, to: from + secret.length, with: mark });
  return at;
};

/** Replaces an address with a mark. */
const redacting = (more: Partial<Pick<Guardrail, 'parts'>> = {}): Guardrail =>
  defineGuardrail({
    id: 'test.redact',
    parameters: { type: 'object' },
    rewrites: () => true,
    create:
      () =>
      ({ spans }) => ({ pass: true, data: {}, replace: spans.flatMap(({ text }, span) => found(text, span)) }),
    ...more,
  });

const toAnswer = (...parts: readonly Part[]): Answer => ({
  id: 'a1',
  model: 'm',
  created: 1,
  choices: [{ index: 0, parts, finish: { reason: 'stop' } }],
  extensions: {},
});

/** A call with a member that only one dialect has. */
const call = (text: string, dialect: string, note: string): Part => ({
  kind: 'tool-call',
  id: 'c1',
  name: 'tell',
  arguments: text,
  extensions: { [dialect]: { note } },
});

const spokenIn = (dialect: string): readonly Part[] => [
  { kind: 'reasoning', text: `So ${secret} it is.` },
  { kind: 'text', text: `Write to ${secret} or to ${secret}${secret}. Bye.` },
  call(`{"to":"${secret}","cc":["${secret.replace('@', '\\u0040')}"],"n":1}`, dialect, `By ${secret}`),
];

/** Returns what a client of the dialect reads. */
const foldedBy = (client: StreamRun['client'], { frames }: StreamedResult): Answer => {
  const decoder = findAnswerCodec(client)?.streamDecoder(here);
  if (decoder === undefined) throw new Error('no codec');
  return foldAnswer([...frames.flatMap((frame) => decoder.push(frame)), ...decoder.end()]);
};

const textIn = ({ choices }: Answer): string =>
  choices.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))).join('');

const argumentsIn = ({ choices }: Answer): readonly unknown[] =>
  choices.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.kind === 'tool-call' ? [JSON.parse(part.arguments)] : [])),
  );

const extensionsIn = ({ choices }: Answer): readonly unknown[] =>
  choices.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.kind === 'tool-call' && part.extensions !== undefined ? [part.extensions] : [])),
  );

const configs = [
  { output_guardrails: [{ 'test.redact': {} }] },
  { after_request_hooks: [{ id: 'redact', type: 'mutator', checks: [{ id: 'test.redact', parameters: {} }] }] },
];

const modes = [
  { mode: 'in windows', guardrail: redacting({ parts: () => ({ overlap: secret.length - 1 }) }) },
  { mode: 'as a whole', guardrail: redacting() },
];

const numbered = pairs.map((pair, at) => ({ ...pair, at }));

describe.each(modes)('what a check replaces in a stream that is judged $mode', ({ guardrail }) => {
  it.each(numbered)('reaches no client: $name', async ({ client, upstream, at }) => {
    const spoken = spokenIn(upstream.id);
    const parts = client.conversation === undefined ? spoken.slice(1, 2) : spoken;
    for (const [configAt, config] of configs.entries())
      for (const size of [1, 4, 50].filter((_, sizeAt) => isSampled(at + configAt, sizeAt, 3))) {
        const result = await runStream({
          client,
          upstream,
          chunks: cutAt(toBytes(upstream, toFrames(upstream, answerEvents(toAnswer(...parts), { size }))), [200, 500]),
          guardrails: [guardrail],
          config,
          overrides: { strict: false },
        });
        expect(result.status).toBe(200);
        expect(toReadable(result.frames).filter((text) => text.includes('example.org'))).toEqual([]);
        const answer = foldedBy(client, result);
        expect(textIn(answer)).toBe(`Write to ${mark} or to ${mark}${mark}. Bye.`);
        if (parts.length === 1) continue;
        expect(argumentsIn(answer)).toEqual([{ to: mark, cc: [mark], n: 1 }]);
        expect(extensionsIn(answer)).toEqual(client === upstream ? [{ [client.id]: { note: `By ${mark}` } }] : []);
      }
  });
});

/** A Gemini stream that sends something about its text before it reports why it ended. */
const quoting = (said: object, why: string): readonly Frame[] =>
  [
    { content: { role: 'model', parts: [{ text: 'Write to them. Bye.' }] } },
    said,
    { finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: why },
  ].map((candidate) => ({ data: JSON.stringify({ candidates: [{ index: 0, ...candidate }] }) }));

const cited = (title: string): object => ({
  groundingMetadata: { groundingChunks: [{ web: { uri: 'https://a.example', title } }] },
});

const quotedIn = ({ choices }: Answer): readonly unknown[] =>
  choices.flatMap(({ parts, finish }) => [
    ...parts.flatMap((part) => (part.kind === 'text' ? (part.citations ?? []).map(({ title }) => title) : [])),
    finish.details,
  ]);

describe.each(modes)('what a stream quotes beside its texts, judged $mode', ({ guardrail }) => {
  it.each([
    { frames: quoting(cited(`Of ${secret}`), 'Malformed.'), quoted: [`Of ${mark}`, 'Malformed.'] },
    { frames: quoting({}, `Malformed: tell(${secret})`), quoted: [`Malformed: tell(${mark})`] },
  ])('is passed on with the replacements of a check: $quoted', async ({ frames, quoted }) => {
    for (const config of configs) {
      const run = { client: gemini, upstream: gemini, guardrails: [guardrail], config };
      const result = await runStream({ ...run, chunks: [toBytes(gemini, frames)] });
      expect(result.bytes.toString()).not.toContain('example.org');
      expect(quotedIn(foldedBy(gemini, result))).toEqual(quoted);
      expect(textIn(foldedBy(gemini, result))).toBe('Write to them. Bye.');
    }
  });
});

describe.each(modes)('what a stream reports about a search, judged $mode', ({ guardrail }) => {
  it('is passed on with the replacements of a check', async () => {
    for (const config of configs) {
      const ofGemini = { client: gemini, upstream: gemini, guardrails: [guardrail], config };
      const searched = { groundingMetadata: { webSearchQueries: ['weather', `who is ${secret}`] } };
      const answered = await runStream({ ...ofGemini, chunks: [toBytes(gemini, quoting(searched, 'Malformed.'))] });
      expect(answered.bytes.toString()).toContain(`"webSearchQueries":["weather","who is ${mark}"]`);
      expect(answered.bytes.toString()).not.toContain('example.org');

      const found = { search_results: [{ title: secret, url: 'u' }] };
      const chunks = [null, 'stop'].map((finish_reason) => ({
        data: JSON.stringify({ choices: [{ index: 0, delta: { content: 'Bye.' }, finish_reason }], ...found }),
      }));
      const ofChat = { client: chat, upstream: chat, guardrails: [guardrail], config };
      const { frames } = await runStream({ ...ofChat, chunks: [toBytes(chat, [...chunks, { data: '[DONE]' }])] });
      const given = frames.slice(0, -1).map(({ data }) => JSON.parse(data));
      expect(given.flatMap((each) => each.search_results ?? [])).toEqual([{ title: mark, url: 'u' }]);
      expect(given.every(({ choices }) => choices.length === 1)).toBe(true);
    }
  });
});

describe.each(modes)('what a chat chunk contains beside its content, judged $mode', ({ guardrail }) => {
  it.each([
    (name: string) => ({ executed_tools: [{ index: 0, type: 'search', arguments: JSON.stringify({ query: name }) }] }),
    (name: string) => ({ context: { citations: [{ title: 'A', content: `Of ${name}`, url: 'u' }] } }),
  ])('is passed on with the replacements of a check', async (delta) => {
    const chunks = [{ content: 'Bye.' }, delta(secret), {}].map((each, index) => ({
      data: JSON.stringify({ choices: [{ index: 0, delta: each, finish_reason: index === 2 ? 'stop' : null }] }),
    }));
    for (const config of configs) {
      const run = { client: chat, upstream: chat, guardrails: [guardrail], config };
      const { frames } = await runStream({ ...run, chunks: [toBytes(chat, [...chunks, { data: '[DONE]' }])] });
      const given = frames.slice(0, -1).map(({ data }) => JSON.parse(data).choices[0].delta);
      expect(given.map(({ content = '' }) => content).join('')).toBe('Bye.');
      expect(given).toContainEqual(delta(mark));
    }
  });
});

describe('the values of placeholders', () => {
  /** Takes the address out of the request, and specifies the value of the placeholder. */
  const taking = defineGuardrail({
    id: 'test.take',
    parameters: { type: 'object' },
    create: () => () => ({
      pass: true,
      data: {},
      replace: [{ span: 0, from: 0, to: 2, with: '[EMAIL_12ab]' }],
      restore: { '[EMAIL_12ab]': 'ann "@" x', '[EMAIL_12abc]': 'bob' },
    }),
  });
  const config = {
    before_request_hooks: [{ id: 'take', type: 'mutator', checks: [{ id: 'test.take', parameters: {} }] }],
  };
  const piece = fc.constantFrom(
    '[EMAIL_12ab]',
    '[EMAIL_12abc]',
    '[EMAIL_12',
    '[',
    ']',
    'Hi ',
    'é🎉',
    '[EMAIL_9]',
    'c]',
  );

  it.each(pairs)(
    'are restored however the stream is cut: $name',
    async ({ client, upstream }) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(piece, { minLength: 1, maxLength: 8 }),
          fc.integer({ min: 1, max: 9 }),
          fc.array(fc.nat(), { maxLength: 4 }),
          async (pieces, size, places) => {
            const text = pieces.join('');
            const parts: readonly Part[] =
              client.conversation === undefined
                ? [{ kind: 'text', text }]
                : [{ kind: 'text', text }, call(JSON.stringify({ to: text }), upstream.id, text)];
            const result = await runStream({
              client,
              upstream,
              chunks: cutAt(toBytes(upstream, toFrames(upstream, answerEvents(toAnswer(...parts), { size }))), places),
              guardrails: [taking],
              config,
            });
            const restored = text.replaceAll('[EMAIL_12abc]', 'bob').replaceAll('[EMAIL_12ab]', 'ann "@" x');
            const answer = foldedBy(client, result);
            expect(textIn(answer)).toBe(restored);
            if (parts.length === 1) return;
            expect(argumentsIn(answer)).toEqual([{ to: restored }]);
            expect(extensionsIn(answer)).toEqual(client === upstream ? [{ [client.id]: { note: restored } }] : []);
          },
        ),
        { ...lawRuns, numRuns: Math.ceil(lawRuns.numRuns / 150) },
      );
    },
    slowLawMs,
  );

  it('are restored in quotes of a source, and in the reason why an answer ended', async () => {
    const frames = quoting(cited('Of [EMAIL_12ab]'), 'Malformed: tell([EMAIL_12abc])');
    const run = { client: gemini, upstream: gemini, guardrails: [taking], config };
    const result = await runStream({ ...run, chunks: [toBytes(gemini, frames)] });
    expect(quotedIn(foldedBy(gemini, result))).toEqual(['Of ann "@" x', 'Malformed: tell(bob)']);
  });

  it('are not shown to output checks', async () => {
    const seen: string[] = [];
    const watching = defineGuardrail({
      id: 'test.watch',
      parameters: { type: 'object' },
      create:
        () =>
        ({ text }) => {
          seen.push(text);
          return { pass: true, data: {} };
        },
    });
    const [chat] = pairs;
    if (chat === undefined) throw new Error('There is no pair.');
    const stream = toBytes(
      chat.upstream,
      toFrames(chat.upstream, answerEvents(toAnswer({ kind: 'text', text: 'To [EMAIL_12ab].' }))),
    );
    const result = await runStream({
      ...chat,
      chunks: [stream],
      guardrails: [taking, watching],
      config: { ...config, output_guardrails: [{ 'test.watch': {}, deny: true }] },
    });
    expect(seen).toEqual(['To [EMAIL_12ab].']);
    expect(toReadable(result.frames).join('')).toContain('To ann "@" x.');
  });
});
