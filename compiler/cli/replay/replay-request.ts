import { GatewayError } from '../../../schema/errors/errors.ts';
import { canonicalJson } from '../../../schema/json/canonical.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { RoutingPlan } from '../../../schema/plan/plan.ts';
import { withCopies } from '../../../schema/trail/recorded-copies.ts';
import type { Replay, RequestScript } from '../../../schema/trail/request-script.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { asRecorded } from './as-recorded.ts';
import { type RequestFile, readRequestFile } from './read-request-file.ts';

/** A request that was tried on a plan, with the result. */
export interface ReplayedRequest extends Replay {
  readonly method: string;
  readonly path: string;
  readonly seed: number;
  /**
   * For a line of a request log: the plan that it was recorded on, its problem, and where the trails first differ, if they do.
   */
  readonly recorded?: { readonly on?: string; readonly problem?: JsonObject; readonly differsAt: number | null };
}

/** Returns the index of the first event that differs, or null. */
const firstDifference = (before: readonly TrailEvent[], now: readonly TrailEvent[]): number | null => {
  const length = Math.max(before.length, now.length);
  for (let at = 0; at < length; at += 1) if (canonicalJson(before[at]) !== canonicalJson(now[at])) return at;
  return null;
};

/**
 * Returns the trail with the waits of the recorded attempts, which a repetition does not have. Everything else in its line stays.
 */
const withWaits = (trail: readonly TrailEvent[], recorded: readonly TrailEvent[] = []): readonly TrailEvent[] =>
  trail.map((event) => {
    if (event.kind !== 'attempted') return event;
    const { path, attempt } = event;
    const before = recorded.find((each) => each.kind === 'attempted' && each.path === path && each.attempt === attempt);
    const { queuedMs } = before?.kind === 'attempted' ? before : {};
    return queuedMs === undefined ? event : { ...event, queuedMs };
  });

const toRecorded = (
  { script, recordedOn: on, problem }: RequestFile,
  trail: readonly TrailEvent[],
): Pick<ReplayedRequest, 'recorded'> =>
  script.recorded === undefined
    ? {}
    : {
        recorded: {
          ...(on === undefined ? {} : { on }),
          ...(problem === undefined ? {} : { problem }),
          differsAt: firstDifference(withCopies(script.recorded, script.copies ?? []), trail),
        },
      };

/** A request as JSON, and its source. */
export interface RequestText {
  readonly text: string;
  readonly file: string;
}

/** Links a plan and runs one request through it, with simulated upstreams and a simulated clock. */
export type RunScript = (plan: RoutingPlan, script: RequestScript) => Promise<Replay>;

export interface ReplayOptions {
  readonly plan: RoutingPlan;
  readonly request: RequestText;
}

/** Tries a request on a plan. Throws a `UsageError` if it cannot be read. */
export const replayRequest = async (
  run: RunScript,
  { plan, request: { text, file } }: ReplayOptions,
): Promise<ReplayedRequest> => {
  const read = readRequestFile(text, { file, plan });
  const { script, known } = read;
  const { recorded: trail, malformed = false } = script;
  const root = trail === undefined ? plan.root : asRecorded(plan.root, { trail, known, malformed });
  const replay = await run({ ...plan, root }, script).catch((error: unknown) => {
    if (!(error instanceof GatewayError)) throw error;
    throw new UsageError(`The request of ${file} cannot be served.`, error.message);
  });
  const { method, path, seed } = script;
  const shown = withWaits(replay.trail, trail);
  return { method, path, seed, ...replay, trail: shown, ...toRecorded(read, shown) };
};
