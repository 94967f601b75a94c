import type { LeafNode, Target } from '../../../schema/plan.ts';
import { stageOf } from '../../../schema/stage-of.ts';
import type { LinkContext } from '../context.ts';
import type { LeafStep } from '../leaf-call.ts';
import { linkAdmit } from './admit.ts';
import { linkBreaker } from './breaker.ts';
import { linkInputChecks } from './input-checks.ts';
import { linkOutputChecks } from './output-checks.ts';
import { refuseStreams } from './refuse-streams.ts';
import { linkRetry } from './retry.ts';
import { showHookResults } from './show-hook-results.ts';

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
    return step;
  };
