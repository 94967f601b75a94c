import type { TextSpan } from '../../../sdk/dialect/dialect.ts';
import type { Replacement } from '../../../sdk/guardrail/guardrail.ts';
import type { AnswerReader } from '../client/answer-reader.ts';

/** A judged piece that is sent as one message: its index in `CheckInput.spans`, and its text. */
export interface SentMessage {
  readonly span: number;
  readonly text: string;
}

/** Returns the judged pieces as messages, without blank ones. */
export const sentMessages = (spans: readonly Pick<TextSpan, 'text'>[]): readonly SentMessage[] =>
  spans.flatMap(({ text }, span) => (text.trim() === '' ? [] : [{ span, text }]));

/** Returns the texts with which a policy replaces the messages, one for each. Throws an `Error` if it changes none. */
export const replacedMessages = (
  vendor: string,
  sent: readonly SentMessage[],
  messages: readonly AnswerReader[],
): readonly Replacement[] => {
  const changed = sent.flatMap(({ span, text }, index) => {
    const written = messages[index]?.text('content') ?? text;
    return written === text ? [] : [{ span, from: 0, to: text.length, with: written }];
  });
  if (changed.length === 0)
    throw new Error(`${vendor} answered with status 200, and reports that it changed something, but changed nothing.`);
  return changed;
};
