import type { GatewayResponse } from '../../../plugins/sdk/http/http.ts';
import { mayDeny } from '../../../schema/plan/may-deny.ts';
import {
  continueFeature,
  hedgeFeature,
  keyPoolFeature,
  mirrorFeature,
  type RoutingPlan,
  type StageKind,
  type StageOf,
  stageOrder,
} from '../../../schema/plan/plan.ts';
import { findStage, isCheckStage } from '../../../schema/plan/stages.ts';
import { type AttemptOptions, linkAttempt } from '../attempt/attempt.ts';
import { leafGate } from '../call/gates.ts';
import type { LeafCall, LeafStep } from '../call/leaf-call.ts';
import type { LeafCircuits } from './circuits/leaf-circuits.ts';
import { refuseUnjudged } from './guardrails/refuse-unjudged.ts';
import type { PlanContext } from './plan-context.ts';
import { linkRetry } from './retry.ts';
import type { StageCode } from './stage-code.ts';

interface LeafParts extends Pick<AttemptOptions, 'leaf' | 'target'> {
  readonly context: PlanContext;
  /** Absent if the leaf has no breaker. */
  readonly circuits: LeafCircuits | undefined;
}
type LinkStage<Kind extends StageKind> = (stage: StageOf<Kind>, inner: LeafStep, parts: LeafParts) => LeafStep;

/** The linker of each kind of stage. */
const linkers: { readonly [Kind in StageKind]: LinkStage<Kind> } = {
  breaker: (stage, inner, { context, circuits }) =>
    circuits === undefined ? inner : context.stageCode.breakers().linkBreaker(stage, inner, { context, circuits }),
  'input-checks': (stage, inner, parts) => parts.context.stageCode.checks().linkInputChecks(stage, inner, parts),
  cache: (stage, inner, parts) => parts.context.stageCode.caches().linkCache(stage, inner, parts),
  retry: (stage, inner, { context }) => linkRetry(stage, inner, context),
  'output-checks': (stage, inner, parts) => parts.context.stageCode.checks().linkOutputChecks(stage, inner, parts),
};

/** Throws `CodeNotLoaded` if the code of one of the plan's stages is not loaded. */
export const requireStages = ({ requires: { features } }: RoutingPlan, code: StageCode): void => {
  if (features.includes('breaker')) code.breakers();
  if (features.includes('input-checks') || features.includes('output-checks')) code.checks();
  if (features.includes('cache')) code.caches();
  if (features.includes(continueFeature)) code.continuing();
  if (features.includes(keyPoolFeature)) code.keys();
  if (features.includes(hedgeFeature)) code.hedges();
  if (features.includes(mirrorFeature)) code.mirrors();
  if (features.includes('balance') || features.includes('sticky')) code.balances();
};

type Around = (inner: LeafStep, parts: LeafParts) => LeafStep;

const hasChecks = ({ stages }: LeafParts['leaf']): boolean => stages.some(isCheckStage);

/** The step directly around a stage, or in its place if the stage is not configured. */
const around: { readonly [Kind in StageKind]?: Around } = {
  breaker: (inner, { leaf, context }) =>
    mayDeny(leaf) && context.passThrough !== 'allow' ? refuseUnjudged(inner) : inner,
  'input-checks': (inner, { leaf, context }) =>
    leaf.needs.answer === 'read' && hasChecks(leaf) ? context.stageCode.checks().showHookResults(inner) : inner,
  retry: (inner, { leaf, context }) => {
    const output = findStage(leaf, 'output-checks');
    const step = output === undefined ? inner : context.stageCode.checks().denyUnreadable(output, inner, context);
    return context.hooks.admit.isUsed() ? leafGate(step, context) : step;
  },
};

const linkStage = <Kind extends StageKind>(kind: Kind, inner: LeafStep, parts: LeafParts): LeafStep => {
  const stage = findStage(parts.leaf, kind);
  const step = stage === undefined ? inner : linkers[kind](stage, inner, parts);
  return around[kind]?.(step, parts) ?? step;
};

type Failed = (error: unknown, call: LeafCall) => GatewayResponse;

const rethrow: Failed = (error) => {
  throw error;
};

/** Turns errors thrown inside into answers. */
const answeringErrors =
  (inner: LeafStep, failed: Failed): LeafStep =>
  async (call) => {
    try {
      return await inner(call);
    } catch (error) {
      return failed(error, call);
    }
  };

/** Returns an attempt that waits for a place at its target, if targets have limits. */
const placed = (attempt: LeafStep, { context: { ports }, circuits, target }: LeafParts): LeafStep =>
  ports.places?.around(attempt, {
    target,
    isCircuitOpen: (call) =>
      circuits?.meet(call.target, call.originalExchange).some((circuit) => !ports.breakers.isClosed(circuit)) === true,
  }) ?? attempt;

/**
 * Links a leaf's attempt and the configured stages around it, in the plan's order. `failed` turns errors that none of them caught
 * into answers.
 */
export const linkStages = (parts: LeafParts, failed: Failed): LeafStep => {
  const { leaf, target, context } = parts;
  const checks = findStage(leaf, 'output-checks') && context.stageCode.checks().linkStreamChecks(leaf, target, context);
  const hasKeys = target.credential?.kind === 'keys';
  if (leaf.stages.length === 0 && !hasKeys && !context.hooks.admit.isUsed() && context.ports.places === undefined)
    return linkAttempt({ ...parts, checks, failed });
  const one = placed(linkAttempt({ ...parts, checks, failed: rethrow }), parts);
  const attempt = hasKeys ? context.stageCode.keys().linkKeys(one, parts) : one;
  const step = stageOrder.reduceRight((inner, kind) => linkStage(kind, inner, parts), attempt);
  return answeringErrors(step, failed);
};
