import { describe, expect, it } from 'vitest';
import { chat } from '../../../../plugins/dialects/chat/chat.ts';
import { pii } from '../../../../plugins/guardrails/privacy/pii.ts';
import { secrets } from '../../../../plugins/guardrails/privacy/secrets.ts';
import { findAnswerCodec } from '../../../../plugins/sdk/dialect/find-answer-codec.ts';
import { defineGuardrail, type Guardrail, type Replacement } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import type { Answer } from '../../../../schema/conversation/answer.ts';
import { foldAnswer } from '../../../../schema/conversation/fold-answer.ts';
import { answerEvents } from '../../../plugins/dialects/support/answer-events.ts';
import { here } from '../../../plugins/dialects/support/codecs.ts';
import { runStream, toBytes, toFrames } from './kit.ts';

/** Four digits are a code after the word "code", and not a code after the word "year". */
const codes: Guardrail = defineGuardrail({
  id: 'default.codes',
  parameters: { type: 'object' },
  rewrites: () => true,
  parts: () => ({ overlap: 'code: 1234'.length - 1 }),
  create:
    () =>
    ({ spans }) => ({
      pass: true,
      data: {},
      replace: spans.flatMap(({ text }, span) =>
        [...text.matchAll(/(?<=code: )\d{4}|(?<!\d|year )\d{4}(?=!)/g)].map(
          ({ index }): Replacement => ({ span, from: index, to: index + 4, with: '[CODE]' }),
        ),
      ),
    }),
});

const saying = (text: string): Answer => ({
  id: 'a1',
  model: 'm',
  created: 1,
  choices: [{ index: 0, parts: [{ kind: 'text', text }], finish: { reason: 'stop' } }],
  extensions: {},
});

/** Returns the text that a client receives of a stream whose answers a check judges. */
const given = async (text: string, guardrail: Guardrail, parameters: object): Promise<string> => {
  const frames = toFrames(chat, answerEvents(saying(text), { size: 4 }));
  const result = await runStream({
    client: chat,
    upstream: chat,
    chunks: frames.map((frame) => toBytes(chat, [frame])),
    guardrails: [{ ...guardrail, id: 'test.it' }],
    config: { output_guardrails: [{ 'test.it': parameters }] },
  });
  const decoder = findAnswerCodec(chat)?.streamDecoder(here);
  if (decoder === undefined) throw new Error('no codec');
  const { choices } = foldAnswer([...result.frames.flatMap((frame) => decoder.push(frame)), ...decoder.end()]);
  return choices.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))).join('');
};

const prose = 'and then we went on to the next town, where it rained. '.repeat(10);

const shifts = Array.from({ length: 40 }, (_, at) => 'z'.repeat(at));

const cases = [
  { check: 'a check', guardrail: codes, parameters: {}, says: 'code: 1234', becomes: 'code: [CODE]', every: 1 },
  { check: 'a check', guardrail: codes, parameters: {}, says: 'year 1234!', becomes: 'year 1234!', every: 1 },
  { check: 'a check', guardrail: codes, parameters: {}, says: '91234!', becomes: '91234!', every: 1 },
  {
    ...{ check: 'default.secrets', guardrail: secrets, parameters: { action: 'redact', categories: ['password'] } },
    ...{ says: 'the password: Tr0ub4dor&3xyzKLM77qw now', becomes: 'the password: [PASSWORD] now', every: 5 },
  },
  {
    ...{ check: 'default.pii', guardrail: pii, parameters: { action: 'redact' } },
    ...{ says: 'my SSN is 536904399 now', becomes: 'my SSN is [NATIONAL_ID] now', every: 5 },
  },
  {
    ...{ check: 'default.pii', guardrail: pii, parameters: { action: 'redact' } },
    ...{ says: 'the version is 83.42.133.44 now', becomes: 'the version is 83.42.133.44 now', every: 5 },
  },
];

describe('what a check finds by the preceding words, in a stream that is judged in parts', () => {
  it.each(cases)('is the same wherever a part ends: $check on "$says"', async (of) => {
    for (const shift of shifts.filter((_, at) => at % of.every === 0)) {
      const text = (words: string): string => `${prose}${shift} ${words}. ${prose}`;
      expect(await given(text(of.says), of.guardrail, of.parameters)).toBe(text(of.becomes));
    }
  });
});
