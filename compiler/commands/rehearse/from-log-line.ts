import { isJsonObject, type JsonObject } from '../../../schema/json.ts';
import type { LeafNode, PlanNode, RoutingPlan } from '../../../schema/plan.ts';
import type { UpstreamStep } from '../../../schema/request-script.ts';
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

const stepOf = (trail: readonly TrailEvent[], index: number, obedient: ReadonlySet<string>): UpstreamStep => {
  const event = trail[index] as Attempted;
  const { target, status, path } = event;
  const error = failureOf(event);
  if (error !== undefined) return { target, error };
  const broke = trail.slice(index + 1).some((later) => later.kind === 'streamFailed' && later.path === path);
  return {
    target,
    status,
    ...(broke && status < 300 ? { stream: true, error: 'cut' as const } : {}),
    ...(obedient.has(path) ? { headers: { 'retry-after-ms': String(waitAfter(trail, index, path)) } } : {}),
  };
};

/** What the upstreams did, read off the trail of the request that met them. */
export const recordedSteps = (trail: readonly TrailEvent[], plan: RoutingPlan): readonly UpstreamStep[] => {
  const obedient = obedientLeaves(plan);
  return trail.flatMap((event, index) => (event.kind === 'attempted' ? [stepOf(trail, index, obedient)] : []));
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
