import { defineGuardrail, fail, type Guardrail, pass } from '../../plugins/sdk/guardrail/guardrail.ts';
import { mayRewrite, overlapOfAll } from '../../plugins/sdk/guardrail/stream-mode.ts';
import { type Catalogue, findCheck } from '../../plugins/sdk/plugin/catalogue.ts';
import type { JsonPointer } from '../../schema/json/pointer.ts';
import { mapLeaves } from '../../schema/plan/map-branches.ts';
import { mayAskForRetry } from '../../schema/plan/may-ask-for-retry.ts';
import type { CheckHook, PlanNode, Stage } from '../../schema/plan/plan.ts';
import { isCheckStage } from '../../schema/plan/stages.ts';
import type { CheckPhase, CheckResult, TrailEvent } from '../../schema/trail/trail.ts';

/** A plan whose checks return recorded verdicts, and those checks. */
export interface RecordedChecks {
  readonly root: PlanNode;
  readonly guardrails: readonly Guardrail[];
}

/** The results of the checks of one stage at one time. */
interface RecordedResult {
  readonly result: CheckResult;
  /** Whether they requested one more attempt that was made. */
  readonly retries: boolean;
}

interface RecordedStage {
  readonly results: readonly RecordedResult[];
  /** Whether its checks may request one more attempt. */
  readonly retries: boolean;
}

/** Whether the next event is such an attempt. All other attempts at the same place follow an event of their own. */
const isRetried = (next: TrailEvent | undefined, path: JsonPointer): boolean =>
  next?.kind === 'attempted' && next.path === path;

/** Returns the verdict of a hook that leads to the recorded result of its stage. */
const passes = (result: CheckResult, { deny }: CheckHook): boolean => {
  if (result === 'passed') return true;
  return result === 'denied' ? deny.onSuccess : deny.onFail;
};

/**
 * Replaces each hook's checks by one that returns the verdict recorded at its leaf. The checks themselves cannot run, because
 * logs contain no bodies.
 */
export const recordedChecks = (
  root: PlanNode,
  trail: readonly TrailEvent[],
  known: Catalogue['checks'],
): RecordedChecks => {
  const guardrails: Guardrail[] = [];
  const events = trail.filter(({ kind }) => kind !== 'settled');
  const findGuardrail = (id: string): Guardrail | undefined => findCheck({ checks: known }, id);

  const resultsAt = (path: JsonPointer, phase: CheckPhase): readonly RecordedResult[] =>
    events.flatMap((event, index) =>
      event.kind === 'checked' && event.path === path && event.phase === phase
        ? [{ result: event.result, retries: isRetried(events[index + 1], path) }]
        : [],
    );

  const recordedHook = (hook: CheckHook, { results, retries }: RecordedStage): CheckHook => {
    // Background hooks change nothing and are not in trails.
    if (hook.async) return { ...hook, checks: [] };
    const id = `recorded.${guardrails.length}`;
    let runs = 0;
    const overlap = overlapOfAll(hook.checks, findGuardrail);
    guardrails.push(
      defineGuardrail({
        id,
        parameters: { type: 'object' },
        // The recorded answer was held back according to these.
        rewrites: () => mayRewrite(hook, findGuardrail),
        parts: () => (overlap === undefined ? undefined : { overlap }),
        create: () => (input) => {
          // The findings in a part of a stream are in the verdict on the whole.
          if (input.phase === 'output' && input.answer === undefined) return pass();
          const { result, retries } = results[runs] ?? { result: 'passed', retries: false };
          runs += 1;
          if (passes(result, hook)) return pass();
          const failed = fail('It failed when it was recorded.');
          return retries ? { ...failed, retry: { say: 'It failed when it was recorded.' } } : failed;
        },
      }),
    );
    // A mutator is skipped if another hook denies, but each hook here must take part in every run.
    const check = { check: id, id, parameters: {}, failOnError: false, ...(retries ? { retries } : {}) };
    return { ...hook, type: 'guardrail', checks: [check] };
  };

  const recordedStage = (stage: Stage, path: JsonPointer): Stage => {
    if (!isCheckStage(stage)) return stage;
    const results = resultsAt(path, stage.kind === 'input-checks' ? 'input' : 'output');
    const recorded = { results, retries: mayAskForRetry(stage.hooks) };
    const [first, ...rest] = stage.hooks;
    return {
      ...stage,
      hooks: [recordedHook(first, recorded), ...rest.map((hook) => recordedHook(hook, recorded))],
    };
  };

  return {
    root: mapLeaves(root, (leaf) => ({
      ...leaf,
      stages: leaf.stages.map((stage) => recordedStage(stage, leaf.path)),
    })),
    guardrails,
  };
};
