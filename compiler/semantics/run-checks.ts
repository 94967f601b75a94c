import { mayAskForRetry } from '../../schema/plan/may-ask-for-retry.ts';
import type { CheckHook, InputChecksStage, LeafNode, OutputChecksStage } from '../../schema/plan/plan.ts';
import { findStage } from '../../schema/plan/stages.ts';
import type { CheckPhase, CheckResult } from '../../schema/trail/trail.ts';
import { countUp, type RequestRun, toTarget } from './run.ts';

/** The combined result of the hooks of a phase. */
export interface ChecksFound {
  readonly result: CheckResult;
  /** Whether all hooks that fail or deny request an additional attempt. */
  readonly asksRetry: boolean;
}

/** Whether a stage can change an answer; hooks that run in the background never do. */
const hasSynchronousHook = (stage: InputChecksStage | OutputChecksStage | undefined): boolean =>
  stage?.hooks.some((hook) => !hook.async) ?? false;

const hookFound = (hook: CheckHook, target: string, { world }: RequestRun): ChecksFound => {
  const verdict = world.scenario.checks?.(hook.id, target, countUp(world, 'check', hook.id, target)) ?? 'pass';
  if (verdict === 'pass') return { result: hook.deny.onSuccess ? 'denied' : 'passed', asksRetry: false };
  return {
    result: hook.deny.onFail ? 'denied' : 'failed',
    asksRetry: verdict === 'retry' && mayAskForRetry([hook]),
  };
};

const together = (found: readonly ChecksFound[]): ChecksFound => {
  const worst = (['denied', 'failed'] as const).find((worse) => found.some(({ result }) => result === worse));
  const failing = found.filter(({ result }) => result !== 'passed');
  return { result: worst ?? 'passed', asksRetry: failing.length > 0 && failing.every(({ asksRetry }) => asksRetry) };
};

/**
 * Runs the guardrails of a phase and then its mutators, until a denial. Returns `passed` if the leaf has no hook that could
 * decide otherwise.
 */
export const runChecks = (phase: CheckPhase, leaf: LeafNode, run: RequestRun): ChecksFound => {
  const stage = findStage(leaf, phase === 'input' ? 'input-checks' : 'output-checks');
  if (stage === undefined || !hasSynchronousHook(stage)) return together([]);
  const { id } = toTarget(run.world, leaf);
  const { guardrail = [], mutator = [] } = Object.groupBy(
    stage.hooks.filter((hook) => !hook.async),
    ({ type }) => type,
  );
  const found = guardrail.map((hook) => hookFound(hook, id, run));
  for (const hook of mutator) if (together(found).result !== 'denied') found.push(hookFound(hook, id, run));
  const all = together(found);
  run.trail.push({ kind: 'checked', path: leaf.path, phase, result: all.result });
  return all;
};
