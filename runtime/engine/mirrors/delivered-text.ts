import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import { findAnswerCodec } from '../../../plugins/sdk/dialect/find-answer-codec.ts';
import { framings } from '../../../plugins/sdk/framings/framings.ts';
import type { FramingId } from '../../../plugins/sdk/http/framing-id.ts';
import { foldAnswer } from '../../../schema/conversation/fold-answer.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { findJsonObject } from '../../json-bodies/read/find-json-object.ts';
import { answerText } from '../guardrail-verdicts/check-text.ts';

/** An answer as its client received it. */
export interface DeliveredAnswer {
  readonly bytes: Uint8Array;
  /** The framing of a stream. Absent for a whole answer. */
  readonly framing?: FramingId;
}

/** How a stream is written as a whole answer. Only its texts are used. */
const asWhole = { provider: '', strict: false, streamUsage: false, id: '', created: 0 } as const;

/** Returns the whole answer that has the same texts as a stream. */
const wholeAnswer = (bytes: Uint8Array, framing: FramingId, dialect: Dialect): JsonObject | undefined => {
  const codec = findAnswerCodec(dialect);
  if (codec === undefined) return undefined;
  const decoder = codec.streamDecoder({ scope: '' });
  const { frames } = framings[framing].createSplitter().push(Buffer.from(bytes));
  const events = [...frames.flatMap((frame) => decoder.push(frame)), ...decoder.end()];
  return codec.encodeAnswer(foldAnswer(events), asWhole);
};

/** Returns the text of an answer as checks judge it. Undefined if it has none or cannot be read. */
export const deliveredText = (
  { bytes, framing }: DeliveredAnswer,
  dialect: Dialect | undefined,
): string | undefined => {
  if (dialect === undefined) return undefined;
  try {
    const answer = framing === undefined ? findJsonObject(bytes) : wholeAnswer(bytes, framing, dialect);
    const text = answer && answerText({ answer, dialect })?.text;
    return text === '' ? undefined : text;
  } catch {
    // An answer that cannot be read is not compared.
    return undefined;
  }
};
