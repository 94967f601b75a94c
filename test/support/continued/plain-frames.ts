import type { Dialect, Frame } from '../../../plugins/sdk/dialect/dialect.ts';
import type { AnswerEvent } from '../../../schema/conversation/answer.ts';

export interface PlainAnswer {
  readonly id?: string;
  /** The events before the text. */
  readonly before?: readonly AnswerEvent[];
  /** The events after the text. */
  readonly after?: readonly AnswerEvent[];
}

/** The usage that a plain stream reports. */
const plainUsage = { input: 21, output: 8 } as const;

/** A stream of one text in pieces of nine characters, as a provider with the dialect sends it. */
export const plainFrames = (
  { conversation }: Dialect,
  text: string,
  { id = 'plain', before = [], after = [] }: PlainAnswer = {},
): readonly Frame[] => {
  const encoder = conversation?.streamEncoder({ provider: 'test', strict: false, streamUsage: true, created: 1 });
  if (encoder === undefined) throw new RangeError('The dialect has no streams.');
  const block = before.length === 0 ? 0 : 1;
  const events: readonly AnswerEvent[] = [
    { kind: 'start', id, model: `model-of-${id}`, created: 1 },
    ...before,
    ...(text.match(/.{1,9}/gs) ?? []).map((piece): AnswerEvent => ({ kind: 'text', choice: 0, block, text: piece })),
    ...(text === '' ? [] : [{ kind: 'block-end', choice: 0, block } as const]),
    ...after,
    { kind: 'finish', choice: 0, finish: { reason: 'stop' } },
    { kind: 'usage', usage: plainUsage },
    { kind: 'end' },
  ];
  return [...events.flatMap((event) => encoder.push(event)), ...encoder.end()];
};
