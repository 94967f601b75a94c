import type { Dialect, TextSpan } from '../../plugins/sdk/dialect.ts';
import type { JsonObject } from '../../schema/json.ts';

const linesOf = (spans: readonly TextSpan[]): string => spans.map(({ text }) => text).join('\n');

/**
 * The text that input checks judge, one line for each piece. A body that is not valid in the dialect has none, and its
 * provider will reject it.
 */
export const requestText = (params: JsonObject, dialect: Dialect): string =>
  linesOf(dialect.texts?.(params, 'input') ?? []);

/** The text that output checks judge, in any choice. Undefined if the answer is not valid in the dialect. */
export const answerText = (answer: JsonObject, dialect: Dialect): string | undefined => {
  const spans = dialect.texts?.(answer, 'output');
  return spans === undefined ? undefined : linesOf(spans);
};
