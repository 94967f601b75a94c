import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import { buildCatalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import type { Answer } from '../../../schema/conversation/answer.ts';
import type { BoundValue } from '../../../schema/conversation/conversation.ts';
import { lawRuns } from '../../support/run/law-runs.ts';
import { answerEvents } from './support/answer-events.ts';

const { dialects } = buildCatalogue(builtinPlugins);
const conversing = [...dialects.values()].flatMap(({ id, conversation, gatewayMarks = ['"gw1.'] }) =>
  conversation === undefined ? [] : [{ id, codec: conversation, marks: gatewayMarks }],
);

const options = { provider: 'test', strict: false, streamUsage: false } as const;

const bounds: fc.Arbitrary<BoundValue> = fc.record({
  scope: fc.stringMatching(/^[\w-]{1,64}$/),
  kind: fc.constantFrom('signature', 'encrypted', 'thought'),
  value: fc.string({ minLength: 1 }),
});

/** Builds an answer that has reasoning with the bound value before a call. */
const answerWith = (text: string, bound: BoundValue): Answer => ({
  id: 'a',
  model: 'm',
  choices: [
    {
      index: 0,
      parts: [
        { kind: 'reasoning', text, bound },
        { kind: 'tool-call', id: 'c', name: 'f', arguments: '{}' },
      ],
      finish: { reason: 'tool-calls' },
    },
  ],
  extensions: {},
});

describe.each(conversing)('the dialect $id', ({ codec, marks }) => {
  const isMarked = (wire: string): boolean => marks.some((mark) => wire.includes(mark));

  it('has a gateway mark wherever a client receives a bound value', () => {
    fc.assert(
      fc.property(fc.constantFrom('', 'Hm.'), bounds, (text, bound) => {
        const answer = answerWith(text, bound);
        const encoder = codec.streamEncoder(options);
        const frames = [...answerEvents(answer).flatMap((event) => encoder.push(event)), ...encoder.end()];
        expect(isMarked(JSON.stringify(codec.encodeAnswer(answer, options)))).toBe(true);
        expect(isMarked(frames.map(({ data }) => data).join('\n'))).toBe(true);
      }),
      lawRuns,
    );
  });

  it('has gateway marks that start with the opening quote of a string', () => {
    for (const mark of marks) expect(mark).toMatch(/^"[^"]/);
  });
});

describe('content that other services reject when it is sent back', () => {
  const partsByDialect = {
    chat: [{ kind: 'text', text: 'Oui.' }],
    messages: [{ kind: 'reasoning', text: 'Hm.' }],
    responses: [{ kind: 'reasoning', text: 'Hm.' }],
    gemini: [{ kind: 'tool-call', id: 'c', name: 'f', arguments: '{}' }],
  } as const;

  it.each([
    ['content blocks', 'chat'],
    ['unsigned thinking', 'messages'],
    ['unencrypted reasoning', 'responses'],
    ['an unsigned call', 'gemini'],
  ] as const)('has a gateway mark: %s of %s', (_, id) => {
    const found = conversing.find((each) => each.id === id) ?? expect.unreachable();
    const choices = [{ index: 0, parts: partsByDialect[id], finish: { reason: 'stop' } }] as const;
    const answer: Answer = { id: 'a', model: 'm', choices, extensions: {} };
    const encoder = found.codec.streamEncoder(options);
    const frames = [...answerEvents(answer).flatMap((event) => encoder.push(event)), ...encoder.end()];
    for (const wire of [
      JSON.stringify(found.codec.encodeAnswer(answer, options)),
      frames.map(({ data }) => data).join(),
    ])
      expect(found.marks.some((mark) => wire.includes(mark))).toBe(true);
  });
});
