import type { TextSpan } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Verdict } from '../../../plugins/sdk/guardrail/guardrail.ts';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import { toLines } from './check-text.ts';
import type { Change, CheckedPart } from './checked-part.ts';
import { type ReadVerdict, readVerdict } from './read-verdict.ts';

/** The changes of a check, and the errors in some of them. */
export interface Changing extends Pick<ReadVerdict, 'change' | 'restore'> {
  readonly error?: unknown;
  /** Whether the check threw. If not, it requested something that cannot be done. */
  readonly hasThrown?: boolean;
}

type Ask = (earlier: CheckedPart) => MaybePromise<Verdict>;

const verdictOn = async (
  earlier: readonly TextSpan[],
  { earlier: _none, ...part }: CheckedPart,
  ask: Ask,
): Promise<ReturnType<typeof readVerdict> | { readonly error: unknown }> => {
  try {
    return readVerdict(await ask({ ...part, ...toLines(earlier) }), 'input');
  } catch (reason) {
    return { error: reason };
  }
};

/**
 * Applies the changes of a check, including its replacements in earlier texts of the request. A client sends those again with
 * each turn, and what was taken out of them once must not reach the provider later. If the check throws there, its other changes
 * still count.
 */
export const replaceEarlier = async ({ change, restore }: Changing, part: CheckedPart, ask: Ask): Promise<Changing> => {
  const earlier = part.earlier?.() ?? [];
  if (earlier.length === 0 || change?.kind === 'body') return { change, restore };
  const verdict = await verdictOn(earlier, part, ask);
  if ('error' in verdict) return { change, restore, error: verdict.error, hasThrown: !('pass' in verdict) };
  if (verdict.change?.kind !== 'replace') return { change, restore };
  const { length } = part.spans;
  const found = verdict.change.replacements.map((one) => ({ ...one, span: one.span + length }));
  const both: Change = { kind: 'replace', replacements: [...(change?.replacements ?? []), ...found] };
  return { change: both, restore: [...restore, ...verdict.restore] };
};
