import { errorTable } from '../../../schema/errors.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json.ts';
import type { LeafNode, PlanNode, RoutingPlan } from '../../../schema/plan.ts';
import type { UpstreamStep } from '../../../schema/request-script.ts';
import { isSuccess } from '../../../schema/status.ts';
import type { TrailEvent } from '../../../schema/trail.ts';

type Attempted = Extract<TrailEvent, { kind: 'attempted' }>;

const leavesOf = (node: PlanNode): readonly LeafNode[] => {
  switch (node.kind) {
    case 'leaf':
      return [node];
    case 'loadbalance':
      return node.branches.flatMap((branch) => leavesOf(branch.node));
    default:
      return node.branches.flatMap(leavesOf);
  }
};

/** Leaves that wait as long as the provider asks: what it asked for is in no log, but how long they waited is. */
const obedientLeaves = (plan: RoutingPlan): ReadonlySet<string> =>
  new Set(
    leavesOf(plan.root)
      .filter(({ stages }) => stages.some((stage) => stage.kind === 'retry' && stage.useRetryAfter))
      .map(({ path }) => path),
  );

/** A wait so long that the leaf gives up. */
const tooLongMs = 24 * 60 * 60 * 1000;

const waitAfter = (trail: readonly TrailEvent[], index: number, path: string): number => {
  for (const event of trail.slice(index + 1)) {
    if (event.kind === 'attempted') break;
    if (event.kind === 'retried' && event.path === path) return event.waitMs;
  }
  return tooLongMs;
};

const failureOf = ({ origin, status }: Attempted): UpstreamStep['error'] => {
  if (origin === 'timeout') return 'hang';
  if (origin === 'network') return status === 503 ? 'busy' : 'refused';
  return undefined;
};

/** What broke a stream after its first content; a cut, where the trail's word for it is not known. */
const lateFault = (trail: readonly TrailEvent[], path: string): UpstreamStep['error'] => {
  const broke = trail.find((event) => event.kind === 'streamFailed' && event.path === path);
  if (broke?.kind !== 'streamFailed') return undefined;
  if (broke.cause === 'stream-idle') return 'hang';
  return broke.cause === 'stream-error' ? 'in-band' : 'cut';
};

const stepOf = (
  trail: readonly TrailEvent[],
  index: number,
  event: Attempted,
  obedient: ReadonlySet<string>,
): UpstreamStep => {
  const { target, status, path } = event;
  const error = failureOf(event);
  if (error !== undefined) return { target, error };
  const late = isSuccess(status) ? lateFault(trail.slice(index + 1), path) : undefined;
  return {
    target,
    status,
    ...(late === undefined ? {} : { stream: true, error: late }),
    ...(obedient.has(path) ? { headers: { 'retry-after-ms': String(waitAfter(trail, index, path)) } } : {}),
  };
};

/** What the upstreams did, read off the trail of the request that met them. */
export const recordedSteps = (trail: readonly TrailEvent[], plan: RoutingPlan): readonly UpstreamStep[] => {
  const obedient = obedientLeaves(plan);
  return trail.flatMap((event, index) => (event.kind === 'attempted' ? [stepOf(trail, index, event, obedient)] : []));
};

/** What a leaf with output checks answers to a request for a stream. */
const refusesStreams: number = errorTable['streamed-output-checks'].status;

/**
 * Whether the request asked for a stream, where the line does not say. Nothing in a trail differs by it, but that
 * leaves with output checks refuse.
 */
export const askedForStream = (trail: readonly TrailEvent[], status: unknown, plan: RoutingPlan): boolean => {
  const refused =
    status === refusesStreams || trail.some((event) => event.kind === 'fellBack' && event.status === refusesStreams);
  return refused && leavesOf(plan.root).some(({ stages }) => stages.some(({ kind }) => kind === 'output-checks'));
};

const kinds: ReadonlySet<unknown> = new Set<TrailEvent['kind']>([
  'chose',
  'skipped',
  'attempted',
  'retried',
  'fellBack',
  'checked',
  'circuitChanged',
  'streamFailed',
  'clientLeft',
]);

/** Whether a value is the trail of a log line, as the gateway writes it. */
export const isTrail = (value: unknown): value is readonly TrailEvent[] =>
  Array.isArray(value) && value.every((event) => isJsonObject(event) && kinds.has(event.kind) && hasItsMembers(event));

const hasItsMembers = ({ kind, path, target, status }: JsonObject): boolean => {
  if (kind === 'clientLeft') return true;
  if (typeof path !== 'string') return false;
  return kind !== 'attempted' || (typeof target === 'string' && typeof status === 'number');
};
