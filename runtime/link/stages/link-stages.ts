import type { GatewayResponse } from '../../../plugins/sdk/http.ts';
import type { LeafNode, Stage, StageKind } from '../../../schema/plan.ts';
import { type AttemptOptions, linkAttempt } from '../attempt/attempt.ts';
import { linkChecks } from '../checks/link-checks.ts';
import type { LeafCall, LeafStep } from '../leaf-call.ts';
import { linkAdmit } from './admit.ts';
import { linkBreaker } from './breaker.ts';
import { denyUnreadable } from './deny-unreadable.ts';
import { linkInputChecks } from './input-checks.ts';
import { linkOutputChecks } from './output-checks.ts';
import { refuseStreams } from './refuse-streams.ts';
import { linkRetry } from './retry.ts';
import { showHookResults } from './show-hook-results.ts';

/** A leaf's stage of one kind, where it has one. */
export const stageOf = <Kind extends StageKind>(
  { stages }: LeafNode,
  kind: Kind,
): Extract<Stage, { kind: Kind }> | undefined =>
  stages.find((stage): stage is Extract<Stage, { kind: Kind }> => stage.kind === kind);

type Failed = (error: unknown, call: LeafCall) => GatewayResponse;

const rethrow: Failed = (error) => {
  throw error;
};

/** Lets what is thrown inside be an answer. */
const answeringErrors =
  (inner: LeafStep, failed: Failed): LeafStep =>
  async (call) => {
    try {
      return await inner(call);
    } catch (error) {
      return failed(error, call);
    }
  };

/**
 * A leaf's attempt and the stages around it, from the inside out: output checks, retry, the denial of what they could
 * not read, limits, input checks, breaker. What is not configured is not there. `failed` answers what is thrown past all of them.
 */
export const linkStages = ({ leaf, target, context, failed }: AttemptOptions): LeafStep => {
  const output = stageOf(leaf, 'output-checks');
  const retry = stageOf(leaf, 'retry');
  const input = stageOf(leaf, 'input-checks');
  const breaker = stageOf(leaf, 'breaker');
  const admits = context.hooks.admit.isUsed();
  if (leaf.stages.length === 0 && !admits) return linkAttempt({ leaf, target, context, failed });
  let step = linkAttempt({ leaf, target, context, failed: rethrow });
  const check = output === undefined ? undefined : linkChecks('output', output.hooks, context);
  if (check !== undefined) step = linkOutputChecks(check, step, target);
  if (retry !== undefined) step = linkRetry(retry, step, context);
  if (output !== undefined && check !== undefined) step = denyUnreadable(output, check, step);
  if (admits) step = linkAdmit(step, context);
  if (input !== undefined) step = linkInputChecks(input, step, { target, context });
  if (leaf.needs.answer === 'read') step = showHookResults(step);
  if (output !== undefined) step = refuseStreams(output, step, target);
  if (breaker !== undefined) step = linkBreaker(breaker, step, context);
  return answeringErrors(step, failed);
};
