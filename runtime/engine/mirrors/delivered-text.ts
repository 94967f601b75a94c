import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import { framings } from '../../../plugins/sdk/framings/framings.ts';
import type { FramingId } from '../../../plugins/sdk/http/framing-id.ts';
import type { Part } from '../../../schema/conversation/conversation.ts';
import { foldAnswer } from '../../../schema/conversation/fold-answer.ts';
import { findJsonObject } from '../../json-bodies/read/find-json-object.ts';
import { answerText } from '../verdicts/check-text.ts';

/** An answer as its client received it. */
export interface DeliveredAnswer {
  readonly bytes: Uint8Array;
  /** The framing of a stream. Absent for a whole answer. */
  readonly framing?: FramingId;
}

const partText = (part: Part): readonly string[] => {
  switch (part.kind) {
    case 'text':
    case 'refusal':
    case 'reasoning':
      return [part.text];
    case 'tool-call':
      return [part.arguments];
    default:
      return [];
  }
};

const streamText = (bytes: Uint8Array, framing: FramingId, { conversation }: Dialect): string | undefined => {
  if (conversation === undefined) return undefined;
  const decoder = conversation.streamDecoder({ scope: '' });
  const { frames } = framings[framing].createSplitter().push(Buffer.from(bytes));
  const events = [...frames.flatMap((frame) => decoder.push(frame)), ...decoder.end()];
  const texts = foldAnswer(events).choices.flatMap(({ parts }) => parts.flatMap(partText));
  return texts.join('\n');
};

/** Returns the text of an answer as checks judge it. Undefined if it has none or cannot be read. */
export const deliveredText = (
  { bytes, framing }: DeliveredAnswer,
  dialect: Dialect | undefined,
): string | undefined => {
  if (dialect === undefined) return undefined;
  try {
    const answer = framing === undefined ? findJsonObject(bytes) : undefined;
    const text =
      framing === undefined ? answer && answerText({ answer, dialect })?.text : streamText(bytes, framing, dialect);
    return text === '' ? undefined : text;
  } catch {
    // An answer that cannot be read is not compared.
    return undefined;
  }
};
