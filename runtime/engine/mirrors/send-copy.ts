import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Hooks } from '../../../plugins/sdk/hooks/hooks.ts';
import type { MirrorArm, MirrorResult } from '../../../plugins/sdk/hooks/mirror-report.ts';
import type { GatewayResponse } from '../../../plugins/sdk/http/http.ts';
import type { Clock } from '../../ports/clock.ts';
import { drain } from '../../streams/drained.ts';
import type { LimitedRun } from '../call/limited-run.ts';
import type { Mirrors } from '../call/mirrors.ts';
import { Run } from '../call/run.ts';
import { observe, reportFailure } from '../plugins/observe.ts';
import { mirrorArm } from './mirror-arm.ts';
import type { MirrorExchange } from './mirror-exchange.ts';

/** Runs a request through a node. */
export type ExecuteNode = (run: Run) => Promise<GatewayResponse>;

export interface CopyParts {
  /** The mirror's target. */
  readonly execute: ExecuteNode;
  readonly mirrors: Mirrors;
  readonly hooks: Hooks;
  readonly clock: Clock;
  readonly dialect: Dialect | undefined;
  /** The id of the mirror's target. */
  readonly target: string;
  /** Returns the client's side of the comparison. */
  readonly primary: () => MirrorArm;
}

const resultOf = (copy: MirrorExchange, { status, origin, cause }: GatewayResponse): MirrorResult => {
  if (copy.cancellation.cancelled || cause === 'target-overloaded') return 'dropped';
  if (origin === 'limit' && !copy.trail.some(({ kind }) => kind === 'attempted')) return 'refused';
  return status < 400 ? 'answered' : 'failed';
};

const answered = async (
  copy: MirrorExchange,
  limited: LimitedRun | undefined,
  { execute, mirrors, hooks, clock, dialect, target, primary }: CopyParts,
): Promise<void> => {
  const response = await execute(new Run(copy, dialect, limited));
  const now = clock.monotonic();
  const ms = now - copy.startedAt;
  copy.labels.answeredAt = now;
  const end = await drain(response);
  if (hooks.completed.isUsed()) observe(hooks, copy, () => hooks.completed.call(response, copy, end));
  const mirror = mirrorArm({ traceId: copy.traceId, events: copy.trail, response, ms });
  mirrors.report(
    { path: copy.mirrorOf.path, target, result: resultOf(copy, response), primary: primary(), mirror },
    copy,
  );
};

/**
 * Sends a copy to the target of its mirror, and reports the answer. The limits of its workspace are checked first, where it
 * counts separately. Never rejects.
 */
export const sendCopy = async (copy: MirrorExchange, parts: CopyParts): Promise<void> => {
  const { mirrors, hooks, target } = parts;
  const { path } = copy.mirrorOf;
  let limited: LimitedRun | undefined;
  try {
    if (copy.cancellation.cancelled) {
      mirrors.report({ path, target, result: 'dropped' }, copy);
      return;
    }
    try {
      const asked = mirrors.admit(copy, { name: copy.plan?.routing.name ?? '' });
      limited = asked instanceof Promise ? await asked : asked;
    } catch {
      // A limit is reached, which is not a failure of the request that was copied.
      mirrors.report({ path, target, result: 'refused' }, copy);
      return;
    }
    await answered(copy, limited, parts);
  } catch (error) {
    mirrors.report({ path, target, result: 'failed' }, copy);
    reportFailure(hooks, copy, error);
  } finally {
    limited?.answered();
  }
};
