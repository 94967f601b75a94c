import { mayDeny } from '../../../schema/may-deny.ts';
import type { LeafNode, Stage, StageKind, Target } from '../../../schema/plan.ts';
import type { LinkContext } from '../context.ts';
import type { LeafStep } from '../leaf-call.ts';
import { linkAdmit } from './admit.ts';
import { linkBreaker } from './breaker.ts';
import { linkInputChecks } from './input-checks.ts';
import { linkOutputChecks } from './output-checks.ts';
import { refuseStreams } from './refuse-streams.ts';
import { refuseUnjudged } from './refuse-unjudged.ts';
import { linkRetry } from './retry.ts';
import { showHookResults } from './show-hook-results.ts';

/** A leaf's stage of one kind, where it has one. */
export const stageOf = <Kind extends StageKind>(
  { stages }: LeafNode,
  kind: Kind,
): Extract<Stage, { kind: Kind }> | undefined =>
  stages.find((stage): stage is Extract<Stage, { kind: Kind }> => stage.kind === kind);

/**
 * A leaf's stages around its attempt, from the inside out: output checks, retry, limits, input checks, breaker. What is
 * not configured is not there.
 */
export const linkStages =
  (leaf: LeafNode, target: Target, context: LinkContext) =>
  (attempt: LeafStep): LeafStep => {
    const output = stageOf(leaf, 'output-checks');
    const retry = stageOf(leaf, 'retry');
    const input = stageOf(leaf, 'input-checks');
    const breaker = stageOf(leaf, 'breaker');
    let step = attempt;
    if (output !== undefined) step = linkOutputChecks(output, step, { target, context });
    if (retry !== undefined) step = linkRetry(retry, step, context);
    if (context.hooks.admit.isUsed()) step = linkAdmit(step, context);
    if (input !== undefined) step = linkInputChecks(input, step, { target, context });
    if (input !== undefined || output !== undefined) step = showHookResults(step);
    if (output !== undefined) step = refuseStreams(output, step, target);
    if (breaker !== undefined) step = linkBreaker(breaker, step, context);
    if (mayDeny(leaf) && context.passThrough !== 'allow') step = refuseUnjudged(step);
    return step;
  };
