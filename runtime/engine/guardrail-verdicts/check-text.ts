import type { Dialect, TextSpan } from '../../../plugins/sdk/dialect/dialect.ts';
import { defaultReading, type TextReading } from '../../../plugins/sdk/dialect/text-span.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { rootPointer } from '../../../schema/json/pointer.ts';
import type { CheckPhase } from '../../../schema/trail/trail.ts';
import { joinedParts, joinedTexts } from './joined-texts.ts';

/** A text that a check judges: its pieces, and all of them joined, one per line. */
export interface CheckedText {
  readonly text: string;
  readonly spans: readonly TextSpan[];
  /** Returns the pieces of a request that come before those that are judged, and are not judged themselves. */
  readonly earlier?: () => readonly TextSpan[];
}

/** Joins pieces, one per line. */
export const toLines = (spans: readonly TextSpan[]): CheckedText => ({
  text: spans.map(({ text }) => text).join('\n'),
  spans,
});

const findTexts = (
  body: JsonObject,
  dialect: Dialect,
  phase: CheckPhase,
  reading: TextReading,
): readonly TextSpan[] | undefined => {
  // A conversation has texts, even if the dialect does not know where.
  if (dialect.texts === undefined) return dialect.conversation === undefined ? [] : undefined;
  return dialect.texts(body, phase, reading);
};

/** Whether a body contains only names of undocumented members. Without a prompt, they request nothing. */
const isOnlyNames = (spans: readonly TextSpan[] = []): boolean =>
  spans.length > 0 && spans.every(({ isName }) => isName === true);

/** Returns the text that input checks judge, one line per piece. Undefined if it cannot be read. */
export const requestText = (
  params: JsonObject,
  dialect: Dialect,
  reading: TextReading = defaultReading,
): CheckedText | undefined => {
  const spans = findTexts(params, dialect, 'input', reading);
  if (dialect.conversation === undefined && isOnlyNames(spans)) return undefined;
  return (
    spans && {
      ...toLines(joinedParts(spans)),
      earlier: () => joinedParts(dialect.earlierTexts?.(params, reading) ?? []),
    }
  );
};

/** An answer and its dialect. */
export interface ReadAnswer {
  readonly answer: JsonObject;
  readonly dialect: Dialect;
}

/** Returns a piece without a place in the client's answer. */
const placeless = (span: TextSpan): TextSpan => ({ ...span, at: rootPointer });

/**
 * Returns the text that output checks judge, in any choice: everything that the client receives and, if the answer was
 * translated, what else its provider wrote, so that a check reaches the same result in every dialect. Undefined if it cannot be
 * read.
 */
export const answerText = (
  { answer, dialect }: ReadAnswer,
  original?: ReadAnswer,
  reading: TextReading = defaultReading,
): CheckedText | undefined => {
  const spans = findTexts(answer, dialect, 'output', reading);
  if (spans === undefined) return undefined;
  const joinsAll = dialect.joinsTexts === true;
  const given = toLines(joinedTexts(spans, joinsAll));
  if (original === undefined) return given;
  const said = findTexts(original.answer, original.dialect, 'output', reading);
  if (said === undefined && given.text === '') return undefined;
  const unsaid = (said ?? []).filter(({ text }) => !given.text.includes(text)).map(placeless);
  return toLines([...given.spans, ...unsaid]);
};
