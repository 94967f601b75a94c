import type { Verdict } from '../../../plugins/sdk/guardrail.ts';
import { linesOf } from '../check-text.ts';
import type { Change, CheckedPart } from './checked-part.ts';
import { type ReadVerdict, readVerdict } from './read-verdict.ts';

type Changing = Pick<ReadVerdict, 'change' | 'restore'>;

/**
 * What a check changes, with what it replaces in the earlier texts of the request: a client sends those again with each
 * turn, and what was taken out of them once must not reach the provider later. Rejects with what the check throws.
 */
export const replaceEarlier = async (
  { change, restore }: Changing,
  part: CheckedPart,
  ask: (earlier: CheckedPart) => Promise<Verdict>,
): Promise<Changing> => {
  const earlier = part.earlier?.() ?? [];
  if (earlier.length === 0 || change?.kind === 'body') return { change, restore };
  const { earlier: _none, ...rest } = part;
  const verdict = readVerdict(await ask({ ...rest, ...linesOf(earlier) }), 'input');
  if ('fault' in verdict) throw verdict.fault;
  if (verdict.change?.kind !== 'replace') return { change, restore };
  const { length } = part.spans;
  const found = verdict.change.replacements.map((one) => ({ ...one, span: one.span + length }));
  const both: Change = { kind: 'replace', replacements: [...(change?.replacements ?? []), ...found] };
  return { change: both, restore: [...restore, ...verdict.restore] };
};
