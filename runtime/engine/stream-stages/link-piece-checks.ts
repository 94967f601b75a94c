import type { HookResult } from '../../../plugins/sdk/hooks/hook-result.ts';
import type { CheckHook } from '../../../schema/plan/plan.ts';
import { type MaybePromise, thenMaybe } from '../../async/maybe-promise.ts';
import type { LinkContext } from '../call/context.ts';
import type { LeafCall } from '../call/leaf-call.ts';
import { type Found, isDenied, judgeAll } from '../guardrail-checks/link-checks.ts';
import { linkHook } from '../guardrail-checks/link-hook.ts';
import type { CheckedPart } from '../guardrail-verdicts/checked-part.ts';
import type { Changed } from '../guardrail-verdicts/compose-changes.ts';

/** The results of the hooks for a piece of a stream. */
export interface PieceFound {
  readonly isDenied: boolean;
  readonly results: readonly HookResult[];
  readonly changed?: Changed;
}

/** Returns synchronously if all of the checks do. */
export type RunPieceChecks = (call: LeafCall, part: CheckedPart) => MaybePromise<PieceFound>;

const pieceFound = (found: Found): PieceFound => {
  const { judged, changed } = found;
  const results = judged.map(({ result }) => result);
  if (isDenied(found)) return { isDenied: true, results };
  return { isDenied: false, results, ...(changed === undefined ? {} : { changed }) };
};

/** Links the hooks that a client's text waits for, to run on its pieces. */
export const linkPieceChecks = (hooks: readonly CheckHook[], context: LinkContext): RunPieceChecks => {
  const linked = (type: CheckHook['type']): ReturnType<typeof linkHook>[] =>
    hooks.filter((hook) => hook.type === type).map((hook) => linkHook(hook, context));
  const judge = judgeAll(linked('guardrail'), linked('mutator'), 'output');
  return (call, part) => thenMaybe(judge(call, part), pieceFound);
};
