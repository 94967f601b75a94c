import type { GatewayResponse } from '../../../plugins/sdk/http/http.ts';
import type { RequestBounds } from '../../../schema/plan/request-bounds.ts';
import type { LinkContext } from '../call/context.ts';
import type { Run } from '../call/run.ts';
import { isPastDeadline, RunDeadline } from '../call/run-deadline.ts';
import { errorResponse } from '../responses/error-response.ts';
import type { LinkedNode } from './linked-node.ts';

type Execute = (run: Run) => Promise<GatewayResponse>;

/** The smaller of two, of which either may be absent. */
const nearer = (own: number | undefined, asked: number | undefined): number | undefined =>
  own === undefined || asked === undefined ? (own ?? asked) : Math.min(own, asked);

/**
 * The answer in time. What a stage made of an attempt after that is not given: a check that was not waited for has judged
 * nothing. A stored answer that stands in for the failure is.
 */
const inTime = (response: GatewayResponse, { dialect }: Run, { cause }: RunDeadline): GatewayResponse => {
  const { body, origin, leaf } = response;
  if (cause === undefined || body.kind === 'stream' || origin === 'timeout' || origin === 'cache') return response;
  return errorResponse(cause, { dialect, origin: 'timeout', ...(leaf === undefined ? {} : { leaf }) });
};

/** The answer of a tree that its deadline ends, also within its stream. */
const untilDeadline = async (root: LinkedNode, run: Run, deadline: RunDeadline): Promise<GatewayResponse> => {
  const over = (): void => {
    deadline.release();
    if (isPastDeadline(deadline)) run.exchange.trail.push({ kind: 'deadlinePassed', ms: deadline.ms });
  };
  run.deadline = deadline;
  let isStreaming = false;
  try {
    const response = await root.execute(run);
    const { body } = response;
    isStreaming = body.kind === 'stream';
    if (body.kind === 'stream') body.onEnd(over);
    return isPastDeadline(deadline) ? inTime(response, run, deadline) : response;
  } finally {
    if (!isStreaming) over();
  }
};

/** Executes the tree of a plan within the bounds of the plan and those that a request brings, of which the nearer hold. */
export const withinBounds = (
  { deadlineMs }: RequestBounds,
  root: LinkedNode,
  { ports: { clock } }: Pick<LinkContext, 'ports'>,
): Execute => {
  const withDeadline = (run: Run, ms: number): Promise<GatewayResponse> => {
    const { cancellation, startedAt = clock.monotonic() } = run.exchange;
    return untilDeadline(root, run, new RunDeadline(cancellation, { clock, ms, startedAt }));
  };
  return (run) => {
    const ms = nearer(deadlineMs, run.exchange.overrides.deadlineMs);
    return ms === undefined ? root.execute(run) : withDeadline(run, ms);
  };
};
