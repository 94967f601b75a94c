import { errorTable } from '../../../schema/errors/errors.ts';
import { isSuccess } from '../../../schema/http/status.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { toObjects } from '../../../schema/json/loose.ts';
import type { LeafNode, PlanNode, RoutingPlan, Stage } from '../../../schema/plan/plan.ts';
import { eventsBeforeDeadline } from '../../../schema/trail/events-before-deadline.ts';
import type { RequestScript, UpstreamStep } from '../../../schema/trail/request-script.ts';
import type { TrailEvent, TrailEventOf } from '../../../schema/trail/trail.ts';

const poolFull: number = errorTable['pool-full'].status;

const listLeaves = (node: PlanNode): readonly LeafNode[] => {
  switch (node.kind) {
    case 'leaf':
      return [node];
    case 'loadbalance':
      return node.branches.flatMap((branch) => listLeaves(branch.node));
    default:
      return node.branches.flatMap(listLeaves);
  }
};

/**
 * Returns the places of the leaves that wait as long as the provider requests. The log does not contain the requested time, but
 * it does contain how long they waited.
 */
const retryAfterLeaves = ({ root }: RoutingPlan): ReadonlySet<string> => {
  const isObedient = (stage: Stage): boolean => stage.kind === 'retry' && stage.useRetryAfter;
  return new Set(listLeaves(root).flatMap(({ path, stages }) => (stages.some(isObedient) ? [path] : [])));
};

/** A wait that is so long that the leaf gives up. */
const tooLongMs = 24 * 60 * 60 * 1000;

const waitAfter = (after: readonly TrailEvent[], path: string): number => {
  for (const event of after) {
    if (event.kind === 'attempted') break;
    if (event.kind === 'retried' && event.path === path) return event.waitMs;
  }
  return tooLongMs;
};

/** Whether the request continued with another attempt, so that a body that can be sent only once had not been read yet. */
const hasNextAttempt = (after: readonly TrailEvent[]): boolean =>
  after.some((event) => event.kind === 'retried' || event.kind === 'fellBack' || isWithKey(event));

/** Whether it is an attempt with one of several keys, which may follow another attempt immediately. */
const isWithKey = (event: TrailEvent): boolean => event.kind === 'attempted' && event.key !== undefined;

const findFailure = (
  { origin, status }: TrailEventOf<'attempted'>,
  after: readonly TrailEvent[],
): UpstreamStep['error'] => {
  // If the gateway itself cancelled an attempt, its client had disconnected.
  if (origin === 'timeout' || origin === 'gateway') return 'hang';
  if (origin !== 'network') return undefined;
  if (status === poolFull) return 'busy';
  return hasNextAttempt(after) ? 'refused' : 'cut';
};

/** Whether output checks judged an answer. Those of embeddings have a text only if a provider adds one. */
const wasJudged = ({ path }: TrailEventOf<'attempted'>, after: readonly TrailEvent[]): boolean => {
  const next = after.find((event) => 'path' in event && event.path === path);
  return next?.kind === 'checked' && next.phase === 'output';
};

/** Whether an answer could not be read, which is the only failure that output checks see. */
const wasUnreadable = (event: TrailEventOf<'attempted'>, after: readonly TrailEvent[]): boolean =>
  event.origin === 'network' && wasJudged(event, after);

/** Returns what broke a stream after its first content; `cut` if the cause in the trail is unknown. */
const lateError = (after: readonly TrailEvent[], path: string): UpstreamStep['error'] => {
  const broke = after.find((event) => event.kind === 'streamFailed' && event.path === path);
  if (broke?.kind !== 'streamFailed') return undefined;
  if (broke.cause === 'stream-idle' || broke.cause === 'deadline-exceeded') return 'hang';
  return broke.cause === 'stream-error' ? 'in-band' : 'cut';
};

const toAnswer = (
  event: TrailEventOf<'attempted'>,
  after: readonly TrailEvent[],
  obedient: ReadonlySet<string>,
): UpstreamStep => {
  const { target, status, path } = event;
  if (wasUnreadable(event, after)) return { target, body: '', stream: false };
  const error = findFailure(event, after);
  if (error !== undefined) return { target, error };
  // A stream whose end nobody waited for.
  if (isSuccess(status) && after[0] !== undefined && !('path' in after[0]))
    return { target, status, stream: true, error: 'hang' };
  const late = isSuccess(status) ? lateError(after, path) : undefined;
  return {
    target,
    status,
    ...(wasJudged(event, after) ? { judged: true } : {}),
    ...(late === undefined ? {} : { stream: true, error: late }),
    ...(obedient.has(path) ? { headers: { 'retry-after-ms': String(waitAfter(after, path)) } } : {}),
  };
};

const toStep = (
  event: TrailEventOf<'attempted'>,
  after: readonly TrailEvent[],
  obedient: ReadonlySet<string>,
): UpstreamStep => ({
  ...toAnswer(event, after, obedient),
  ...(hasNextAttempt(after) ? { unread: true } : {}),
});

/** Events that follow from the end of an attempt. */
const consequences: ReadonlySet<TrailEvent['kind']> = new Set([
  ...(['circuitChanged', 'hedgeEnded', 'continued', 'notContinued'] as const),
]);

const isOfContinuing = ({ kind }: TrailEvent): boolean => kind === 'continued' || kind === 'notContinued';

/** Whether an attempt ended because another branch had the answer. */
const isCut = (event: TrailEvent): boolean => event.kind === 'attempted' && event.origin === 'gateway';

/**
 * Returns when an attempt was answered: after the preceding events, and after the attempts were sent that its answer cancelled.
 */
const turnOf = (trail: readonly TrailEvent[], index: number): Pick<UpstreamStep, 'afterEvents' | 'afterCalls'> => {
  const end = trail.findIndex((event, at) => at > index && event.kind === 'hedgeEnded');
  const last = trail.slice(0, Math.max(end, index)).findLastIndex((event, at) => at > index && isCut(event));
  const until = trail.slice(0, Math.max(last, index) + 1);
  const isLastAnswer = !trail.slice(index + 1, last).some((event) => event.kind === 'attempted' && !isCut(event));
  return {
    afterEvents: index,
    ...(last > index && isLastAnswer ? { afterCalls: until.filter(({ kind }) => kind === 'attempted').length } : {}),
  };
};

/** Derives the behaviour of the upstreams from the trail of a request that called them. */
export const recordedSteps = (trail: readonly TrailEvent[], plan: RoutingPlan): readonly UpstreamStep[] => {
  const obedient = retryAfterLeaves(plan);
  const deadline = passedDeadline(trail);
  const deadlineAt = deadline === undefined ? trail.length : eventsBeforeDeadline(trail, deadline.during);
  const isHedged = trail.some(({ kind }) => kind === 'hedged' || kind === 'hedgeEnded');
  return trail.flatMap((event, index) => {
    if (event.kind !== 'attempted') return [];
    const after = trail.slice(index + 1).filter((later) => !isOfContinuing(later));
    const step = toStep(event, after, obedient);
    if (!isHedged) return [step];
    const isExpired = event.origin === 'timeout' && index < deadlineAt;
    return [{ ...step, path: event.path, ...turnOf(trail, index), ...(isExpired ? { isExpired } : {}) }];
  });
};

/** Returns when the client disconnected, if it did not wait for its answer. */
export const clientLeft = (trail: readonly TrailEvent[]): RequestScript['clientLeaves'] => {
  if (!trail.some(({ kind }) => kind === 'clientLeft')) return undefined;
  return trail.at(-2)?.kind === 'retried' ? 'wait' : 'call';
};

const endsAttempt = (event: TrailEvent): boolean =>
  event.kind === 'streamFailed' || (event.kind === 'attempted' && event.origin === 'timeout');

/** When the deadline of a request passed; undefined if it did not. */
export const passedDeadline = (trail: readonly TrailEvent[]): RequestScript['deadlinePasses'] => {
  const at = trail.findIndex(({ kind }) => kind === 'deadlinePassed');
  const passed = trail[at];
  if (passed?.kind !== 'deadlinePassed') return undefined;
  const last = trail.slice(0, at).findLast(({ kind }) => !consequences.has(kind));
  const isStreaming = last?.kind === 'attempted' && isSuccess(last.status);
  return { ms: passed.ms, during: last !== undefined && (isStreaming || endsAttempt(last)) ? 'call' : 'later' };
};

const kinds: ReadonlySet<unknown> = new Set<TrailEvent['kind']>([
  'chose',
  'skipped',
  'unable',
  'attempted',
  'settled',
  'retried',
  'fellBack',
  'hedged',
  'hedgeEnded',
  'cached',
  'missed',
  'checked',
  'circuitChanged',
  'mirrored',
  'streamFailed',
  'continued',
  'notContinued',
  'deadlinePassed',
  'clientLeft',
]);

/** Whether a value is the trail of a log line, as the gateway writes it. */
export const isTrail = (value: unknown): value is readonly TrailEvent[] =>
  Array.isArray(value) && value.every((event) => isJsonObject(event) && kinds.has(event.kind) && hasItsMembers(event));

const withoutTime = (event: TrailEvent): TrailEvent => {
  if (event.kind !== 'attempted' || event.ms === undefined) return event;
  const { ms: _ms, cause: _cause, ...rest } = event;
  return rest;
};

/**
 * Returns the trail without the usage and times of its attempts and without how close a cache came to an answer, because these do
 * not describe what the request did.
 */
export const withoutUsage = (trail: readonly TrailEvent[]): readonly TrailEvent[] =>
  trail.filter(({ kind }) => kind !== 'settled' && kind !== 'missed').map(withoutTime);

const hasItsMembers = ({ kind, path, target, status, ageS, similarity, ms, to, branches }: JsonObject): boolean => {
  if (kind === 'clientLeft') return true;
  if (kind === 'deadlinePassed') return typeof ms === 'number';
  if (typeof path !== 'string') return false;
  if (kind === 'unable') return toObjects(branches).every(({ lacks }) => Array.isArray(lacks));
  if (kind === 'hedged') return typeof to === 'number';
  if (kind === 'cached') return typeof ageS === 'number' && (status === 'HIT' || status === 'SEMANTIC HIT');
  if (kind === 'missed') return typeof similarity === 'number';
  if (kind === 'mirrored') return typeof target === 'string';
  return kind !== 'attempted' || (typeof target === 'string' && typeof status === 'number');
};
