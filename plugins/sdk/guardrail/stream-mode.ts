import { type HoldingHook, hooksBufferStreams, mayAskForRetry } from '../../../schema/plan/may-ask-for-retry.ts';
import { hookMayDeny } from '../../../schema/plan/may-deny.ts';
import type { CheckCall } from '../../../schema/plan/plan.ts';
import { asked } from './asked.ts';
import { type FindGuardrail, mayReplace } from './may-replace.ts';

/** The parts of a check that decide how it judges a stream. */
type JudgingCheck = Pick<CheckCall, 'check' | 'parameters' | 'retries'>;

/** The parts of a hook that decide how it judges a stream. */
export interface JudgingHook extends HoldingHook {
  readonly checks: readonly JudgingCheck[];
}

/**
 * How the checks of a leaf judge its streams. `report`: at the end, after the client has received it; nothing is delayed.
 * `windows`: each text while it arrives, with the last `overlap` characters held back. `hold`: the whole answer, before any of it
 * is sent.
 */
export type StreamMode =
  | { readonly kind: 'report' }
  | { readonly kind: 'windows'; readonly overlap: number }
  | { readonly kind: 'hold' };

/** The largest overlap that is held back for each text. If a check needs more, the whole answer is held. */
const maxOverlap = 64 * 1024;

/** Whether a hook may change what it judges. */
export const mayRewrite = (
  { type, checks }: Pick<JudgingHook, 'type' | 'checks'>,
  findGuardrail: FindGuardrail,
): boolean => type === 'mutator' || checks.some((call) => mayReplace(call, findGuardrail));

/** The hooks that the client's text has to wait for: those that may deny or change it. */
export const holdingHooks = <Hook extends JudgingHook>(
  hooks: readonly Hook[],
  findGuardrail: FindGuardrail,
): readonly Hook[] => hooks.filter((hook) => hookMayDeny(hook) || (!hook.async && mayRewrite(hook, findGuardrail)));

/** Returns the overlap that a check needs, or undefined if it needs the whole text. */
const findOverlap = ({ check, parameters }: JudgingCheck, findGuardrail: FindGuardrail): number | undefined => {
  const guardrail = findGuardrail(check);
  const overlap = asked(() => guardrail?.parts?.(parameters))?.overlap;
  return Number.isInteger(overlap) && overlap !== undefined && overlap >= 0 && overlap <= maxOverlap
    ? overlap
    : undefined;
};

/** Returns the largest overlap that the checks need, or undefined if one of them needs the whole text. */
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
 * Returns how hooks judge a stream. A hook that denies passing texts needs the whole text, because a passing part does not mean
 * that the whole passes. So does a hook that may request another answer, which must happen before any of this answer is sent.
 */
export const streamMode = (hooks: readonly JudgingHook[], findGuardrail: FindGuardrail): StreamMode => {
  if (mayAskForRetry(hooks)) return { kind: 'hold' };
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
 * Returns why a stream that broke at another branch cannot continue at a leaf with these output hooks: because they may deny or
 * change any answer (`any`), or because they wait for the whole text and would judge the rest without its beginning (`whole`).
 */
export const continuationObstacle = (
  hooks: readonly JudgingHook[],
  findGuardrail: FindGuardrail,
): 'any' | 'whole' | undefined => {
  if (hooksBufferStreams(hooks)) return 'any';
  return streamMode(hooks, findGuardrail).kind === 'hold' ? 'whole' : undefined;
};
