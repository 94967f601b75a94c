import { hookMayDeny } from '../../../schema/plan/may-deny.ts';
import type { CheckCall } from '../../../schema/plan/plan.ts';
import { type HoldingHook, hooksHoldStreams, retriesAnswers } from '../../../schema/plan/retries-answers.ts';
import { asked } from './asked.ts';
import { type FindGuardrail, mayReplace } from './may-replace.ts';

/** A check as far as it says how it judges a stream. */
type JudgingCheck = Pick<CheckCall, 'check' | 'parameters' | 'retries'>;

/** A hook as far as it says how it judges a stream. */
export interface JudgingHook extends HoldingHook {
  readonly checks: readonly JudgingCheck[];
}

/**
 * How the checks of a leaf judge its streams. `report`: at the end, of what the client has; nothing is delayed. `windows`:
 * each text while it arrives, of which the last `overlap` characters are held back. `hold`: the whole answer, before any
 * of it is sent.
 */
export type StreamMode =
  | { readonly kind: 'report' }
  | { readonly kind: 'windows'; readonly overlap: number }
  | { readonly kind: 'hold' };

/** The largest overlap that is held for each text; with a larger one the whole answer is held. */
const maxOverlap = 64 * 1024;

/** Whether a hook may change what it judges. */
export const mayRewrite = (
  { type, checks }: Pick<JudgingHook, 'type' | 'checks'>,
  findGuardrail: FindGuardrail,
): boolean => type === 'mutator' || checks.some((call) => mayReplace(call, findGuardrail));

/** The hooks that a client's text waits for: those that may deny it, or change it. */
export const holdingHooks = <Hook extends JudgingHook>(
  hooks: readonly Hook[],
  findGuardrail: FindGuardrail,
): readonly Hook[] => hooks.filter((hook) => hookMayDeny(hook) || (!hook.async && mayRewrite(hook, findGuardrail)));

/** The overlap that a check needs; undefined if it needs the whole text. */
const findOverlap = ({ check, parameters }: JudgingCheck, findGuardrail: FindGuardrail): number | undefined => {
  const guardrail = findGuardrail(check);
  const overlap = asked(() => guardrail?.parts?.(parameters))?.overlap;
  return Number.isInteger(overlap) && overlap !== undefined && overlap >= 0 && overlap <= maxOverlap
    ? overlap
    : undefined;
};

/** The largest overlap of checks; undefined if one of them needs the whole text. */
export const overlapOfAll = (checks: readonly JudgingCheck[], findGuardrail: FindGuardrail): number | undefined => {
  let overlap = 0;
  for (const call of checks) {
    const own = findOverlap(call, findGuardrail);
    if (own === undefined) return undefined;
    overlap = Math.max(overlap, own);
  }
  return overlap;
};

/**
 * A hook that denies what passes needs the whole text: that a part passes says nothing of it. So does one that may ask for
 * another answer, which must come before any of this one is sent.
 */
export const streamMode = (hooks: readonly JudgingHook[], findGuardrail: FindGuardrail): StreamMode => {
  if (retriesAnswers(hooks)) return { kind: 'hold' };
  const holding = holdingHooks(hooks, findGuardrail);
  if (holding.length === 0) return { kind: 'report' };
  if (holding.some(({ deny }) => deny.onSuccess)) return { kind: 'hold' };
  const overlap = overlapOfAll(
    holding.flatMap(({ checks }) => checks),
    findGuardrail,
  );
  return overlap === undefined ? { kind: 'hold' } : { kind: 'windows', overlap };
};

/**
 * Why a stream that broke elsewhere cannot go on at a leaf with these output hooks: they may deny or change any answer
 * (`any`), or would judge the rest without what was said, since they wait for the whole text (`whole`).
 */
export const whyNotContinuedAt = (
  hooks: readonly JudgingHook[],
  findGuardrail: FindGuardrail,
): 'any' | 'whole' | undefined => {
  if (hooksHoldStreams(hooks)) return 'any';
  return streamMode(hooks, findGuardrail).kind === 'hold' ? 'whole' : undefined;
};
