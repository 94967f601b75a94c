import { isNonEmpty } from '../../../schema/json/json.ts';
import type { CheckedText } from './check-text.ts';

/** The turns that a check requests for one more attempt. */
export interface AskedRetry {
  readonly say: string;
  /** The choice that was wrong. */
  readonly choice: number;
}

/** The two turns that one more attempt appends to those of the request. */
export interface RetryTurns {
  /** The model's answer. */
  readonly answered: string;
  /** The reply to it. */
  readonly say: string;
}

/** Joins what all failed checks request, for the choice of the first. Undefined if one of them requests nothing. */
export const askedByAll = (failing: readonly { readonly retry?: AskedRetry }[]): AskedRetry | undefined => {
  if (!isNonEmpty(failing)) return undefined;
  const asked = failing.flatMap(({ retry }) => retry ?? []);
  if (!isNonEmpty(asked) || asked.length < failing.length) return undefined;
  const { choice } = asked[0];
  const says = asked.filter((one) => one.choice === choice).map(({ say }) => say);
  return { say: says.join('\n\n'), choice };
};

/** Returns the turns. Undefined for an answer that cannot be followed by them, because it has no content or calls a tool. */
export const retryTurns = (
  { say, choice }: AskedRetry,
  { spans }: Pick<CheckedText, 'spans'>,
): RetryTurns | undefined => {
  const own = spans.filter((span) => (span.choice ?? 0) === choice);
  if (own.some(({ kind }) => kind === 'tool-arguments')) return undefined;
  const answered = own
    .filter(({ kind }) => kind === 'text')
    .map(({ text }) => text)
    .join('\n');
  return answered.trim() === '' ? undefined : { answered, say };
};
