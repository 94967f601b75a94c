import type { CheckCall, CheckHook } from '../../../schema/plan/plan.ts';
import { retriesAnswers } from '../../../schema/plan/retries-answers.ts';
import { asked } from '../checks/asked.ts';
import { mayDeny } from '../checks/link-hook.ts';
import { mayReplace } from '../checks/may-replace.ts';
import type { Names } from '../plugins/names.ts';

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

type GuardrailOf = Names['check'];

/** Whether a hook may change what it judges. */
export const mayRewrite = ({ type, checks }: CheckHook, findGuardrail: GuardrailOf): boolean =>
  type === 'mutator' || checks.some((call) => mayReplace(call, findGuardrail));

/** The hooks that a client's text waits for: those that may deny it, or change it. */
export const holdingHooks = (hooks: readonly CheckHook[], { check }: Pick<Names, 'check'>): readonly CheckHook[] =>
  hooks.filter((hook) => !hook.async && (mayDeny(hook) || mayRewrite(hook, check)));

/** The overlap that a check needs; undefined if it needs the whole text. */
const findOverlap = ({ check, parameters }: CheckCall, findGuardrail: GuardrailOf): number | undefined => {
  const guardrail = findGuardrail(check);
  const overlap = asked(() => guardrail?.parts?.(parameters))?.overlap;
  return Number.isInteger(overlap) && overlap !== undefined && overlap >= 0 && overlap <= maxOverlap
    ? overlap
    : undefined;
};

/** The largest overlap of checks; undefined if one of them needs the whole text. */
export const overlapOfAll = (checks: readonly CheckCall[], findGuardrail: GuardrailOf): number | undefined => {
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
export const streamMode = (hooks: readonly CheckHook[], names: Pick<Names, 'check'>): StreamMode => {
  if (retriesAnswers(hooks)) return { kind: 'hold' };
  const holding = holdingHooks(hooks, names);
  if (holding.length === 0) return { kind: 'report' };
  if (holding.some(({ deny }) => deny.onSuccess)) return { kind: 'hold' };
  const overlap = overlapOfAll(
    holding.flatMap(({ checks }) => checks),
    names.check,
  );
  return overlap === undefined ? { kind: 'hold' } : { kind: 'windows', overlap };
};
