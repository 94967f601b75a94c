import type { CheckHook, InputChecksStage, LeafNode, OutputChecksStage } from '../../schema/plan.ts';
import { stageOf } from '../../schema/stage-of.ts';
import type { CheckPhase, CheckResult } from '../../schema/trail.ts';
import { countUp, type RequestRun, targetOf } from './run.ts';

/** Whether a stage can change an answer: hooks that run in the background never do. */
const hasSynchronousHook = (stage: InputChecksStage | OutputChecksStage | undefined): boolean =>
  stage?.hooks.some((hook) => !hook.async) ?? false;

const hookResult = (hook: CheckHook, target: string, { world }: RequestRun): CheckResult => {
  const verdict = world.scenario.checks?.(hook.id, target, countUp(world, 'check', hook.id, target)) ?? 'pass';
  if (verdict === 'pass') return hook.deny.onSuccess ? 'denied' : 'passed';
  return hook.deny.onFail ? 'denied' : 'failed';
};

/** The guardrails of a phase run, and then its mutators, until a denial, which denies. `passed` where the leaf has no hook that could say otherwise. */
export const runChecks = (phase: CheckPhase, leaf: LeafNode, run: RequestRun): CheckResult => {
  const stage = stageOf(leaf, phase === 'input' ? 'input-checks' : 'output-checks');
  if (stage === undefined || !hasSynchronousHook(stage)) return 'passed';
  const { id } = targetOf(run.world, leaf);
  const { guardrail = [], mutator = [] } = Object.groupBy(
    stage.hooks.filter((hook) => !hook.async),
    ({ type }) => type,
  );
  const results = guardrail.map((hook) => hookResult(hook, id, run));
  for (const hook of mutator) if (!results.includes('denied')) results.push(hookResult(hook, id, run));
  const result = (['denied', 'failed'] as const).find((worse) => results.includes(worse)) ?? 'passed';
  run.trail.push({ kind: 'checked', path: leaf.path, phase, result });
  return result;
};
