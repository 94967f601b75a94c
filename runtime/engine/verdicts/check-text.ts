import type { Dialect, TextSpan } from '../../../plugins/sdk/dialect/dialect.ts';
import { defaultReading, type TextReading } from '../../../plugins/sdk/dialect/text-span.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { rootPointer } from '../../../schema/json/pointer.ts';
import type { CheckPhase } from '../../../schema/trail/trail.ts';
import { joinedParts, joinedTexts } from './joined-texts.ts';

/** A text that a check judges: the pieces of a text, and all of them, one a line. */
export interface CheckedText {
  readonly text: string;
  readonly spans: readonly TextSpan[];
  /** The pieces of a request that are not judged, because they stand before those. */
  readonly earlier?: () => readonly TextSpan[];
}

/** The pieces, one a line. */
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
  // Who converses says something, even if the dialect does not know where.
  if (dialect.texts === undefined) return dialect.conversation === undefined ? [] : undefined;
  return dialect.texts(body, phase, reading);
};

/** Whether names of members that no format documents are all that a body says: without a prompt, they ask nothing. */
const isOnlyNames = (spans: readonly TextSpan[] = []): boolean =>
  spans.length > 0 && spans.every(({ isName }) => isName === true);

/** The text that input checks judge, one line for each piece. Undefined if it cannot be read. */
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

/** An answer, and the dialect that it is in. */
export interface ReadAnswer {
  readonly answer: JsonObject;
  readonly dialect: Dialect;
}

/** A piece that has no place in the client's answer. */
const placeless = (span: TextSpan): TextSpan => ({ ...span, at: rootPointer });

/**
 * The text that output checks judge, in any choice: all that the client is given and, if the answer was translated, what
 * its provider said beside that, so that a check says the same of an answer in whatever dialect. Undefined if it cannot be
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
