import type { Catalogue } from '../../plugins/sdk/catalogue.ts';
import { defineGuardrail, fail, type Guardrail, pass } from '../../plugins/sdk/guardrail.ts';
import type { CheckHook, PlanNode, Stage } from '../../schema/plan.ts';
import type { JsonPointer } from '../../schema/pointer.ts';
import type { CheckPhase, CheckResult, TrailEvent } from '../../schema/trail.ts';
import { mayRewrite, overlapOfAll } from '../link/streams/stream-mode.ts';
import { mapLeaves } from './map-leaves.ts';

/** A plan whose checks return recorded verdicts, and those checks. */
export interface RecordedChecks {
  readonly root: PlanNode;
  readonly guardrails: readonly Guardrail[];
}

/** The verdict of a hook that leads to the recorded result of its stage. */
const passes = (result: CheckResult, { deny }: CheckHook): boolean => {
  if (result === 'passed') return true;
  return result === 'denied' ? deny.onSuccess : deny.onFail;
};

/**
 * Replaces each hook's checks by one that returns the verdict recorded at its leaf: logs contain no bodies, so the checks
 * themselves cannot run.
 */
export const recordedChecks = (
  root: PlanNode,
  trail: readonly TrailEvent[],
  known: Catalogue['checks'],
): RecordedChecks => {
  const guardrails: Guardrail[] = [];
  const guardrailOf = (id: string): Guardrail | undefined => known.get(id.toLowerCase());

  const resultsAt = (path: JsonPointer, phase: CheckPhase): readonly CheckResult[] =>
    trail.flatMap((event) =>
      event.kind === 'checked' && event.path === path && event.phase === phase ? [event.result] : [],
    );

  const recordedHook = (hook: CheckHook, results: readonly CheckResult[]): CheckHook => {
    // Background hooks change nothing and are not in trails.
    if (hook.async) return { ...hook, checks: [] };
    const id = `recorded.${guardrails.length}`;
    let runs = 0;
    const overlap = overlapOfAll(hook.checks, guardrailOf);
    guardrails.push(
      defineGuardrail({
        id,
        parameters: { type: 'object' },
        // The recorded answer was held back as these say.
        rewrites: () => mayRewrite(hook, guardrailOf),
        parts: () => (overlap === undefined ? undefined : { overlap }),
        create: () => (input) => {
          // What a part of a stream was found to be is in the verdict on the whole.
          if (input.phase === 'output' && input.answer === undefined) return pass();
          const result = results[runs] ?? 'passed';
          runs += 1;
          return passes(result, hook) ? pass() : fail('It failed when it was recorded.');
        },
      }),
    );
    // A mutator is left out where another hook denies, but each hook here must take part in every run.
    return { ...hook, type: 'guardrail', checks: [{ check: id, id, parameters: {}, failOnError: false }] };
  };

  const recordedStage = (stage: Stage, path: JsonPointer): Stage => {
    if (stage.kind !== 'input-checks' && stage.kind !== 'output-checks') return stage;
    const results = resultsAt(path, stage.kind === 'input-checks' ? 'input' : 'output');
    const [first, ...rest] = stage.hooks;
    return {
      ...stage,
      hooks: [recordedHook(first, results), ...rest.map((hook) => recordedHook(hook, results))],
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
