import type { Dialect, TextSpan } from '../../plugins/sdk/dialect.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { CheckPhase } from '../../schema/trail.ts';

const linesOf = (spans: readonly TextSpan[]): string => spans.map(({ text }) => text).join('\n');

const textsOf = (body: JsonObject, dialect: Dialect, phase: CheckPhase): readonly TextSpan[] | undefined => {
  // Who converses says something, even if the dialect does not know where.
  if (dialect.texts === undefined) return dialect.conversation === undefined ? [] : undefined;
  return dialect.texts(body, phase);
};

/** The text that input checks judge, one line for each piece. Undefined if it cannot be read. */
export const requestText = (params: JsonObject, dialect: Dialect): string | undefined => {
  const spans = textsOf(params, dialect, 'input');
  return spans === undefined ? undefined : linesOf(spans);
};

/** An answer, and the dialect that it is in. */
export interface ReadAnswer {
  readonly answer: JsonObject;
  readonly dialect: Dialect;
}

/**
 * The text that output checks judge, in any choice: all that the client is given and, if the answer was translated, what
 * its provider said beside that, so that a check says the same of an answer in whatever dialect. Undefined if it cannot be
 * read.
 */
export const answerText = ({ answer, dialect }: ReadAnswer, original?: ReadAnswer): string | undefined => {
  const spans = textsOf(answer, dialect, 'output');
  if (spans === undefined) return undefined;
  const given = linesOf(spans);
  if (original === undefined) return given;
  const said = textsOf(original.answer, original.dialect, 'output');
  if (said === undefined && given === '') return undefined;
  const unsaid = linesOf((said ?? []).filter(({ text }) => !given.includes(text)));
  return given === '' || unsaid === '' ? given + unsaid : `${given}\n${unsaid}`;
};
