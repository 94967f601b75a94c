import { upstreamCause } from '../../../../schema/http/status.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import type { AttemptMs, TrailEvent } from '../../../../schema/trail/trail.ts';
import type { UsageRecord } from '../../../../schema/usage/usage-record.ts';
import { type Listed, type UsageValues, usageOfValues, usageValues } from '../../kernel/store/usage-values.ts';
import { isUsualAttempt } from '../encoding/is-usual-attempt.ts';
import type { NotedRequest } from '../encoding/noted-request.ts';

type Attempted = Extract<TrailEvent, { kind: 'attempted' }>;
type Settled = Extract<TrailEvent, { kind: 'settled' }>;

/** A time in whole hundredths of a millisecond, instead of two decimals, because JSON writes integers faster. */
type Hundredths = number;

const hundredths = <Time extends number | undefined>(ms: Time): Time | Hundredths =>
  ms === undefined ? ms : Math.round(ms * 100);

type AttemptedValues = readonly [
  kind: 'attempted',
  path: JsonPointer,
  target: string,
  attempt: number,
  status: number,
  origin: Attempted['origin'],
  sent: Listed<Hundredths>,
  head: Listed<Hundredths>,
];

type SettledValues = readonly [
  kind: 'settled',
  path: JsonPointer,
  target: string,
  attempt: number,
  usage: UsageValues,
  finishReasons: Listed<readonly string[]>,
  end: Listed<Hundredths>,
];

/** An event of a trail. Events that every request has are stored without the names of their members. */
type EventValues = AttemptedValues | SettledValues | Exclude<TrailEvent, Settled>;

export const eventValues = (event: TrailEvent): EventValues => {
  if (event.kind === 'attempted' && isUsualAttempt(event)) {
    const { kind, path, target, attempt, status, origin, ms } = event;
    return [kind, path, target, attempt, status, origin, hundredths(ms?.sent), hundredths(ms?.head)];
  }
  if (event.kind === 'settled') {
    const { kind, path, target, attempt, usage, finishReasons, ms } = event;
    return [kind, path, target, attempt, usageValues(usage), finishReasons, hundredths(ms?.end)];
  }
  return event;
};

const toMs = (sent: Hundredths, head: Listed<Hundredths>): AttemptMs =>
  typeof head === 'number' ? { sent: sent / 100, head: head / 100 } : { sent: sent / 100 };

const toAttempted = ([kind, path, target, attempt, status, origin, sent, head]: AttemptedValues): Attempted => ({
  ...{ kind, path, target, attempt, status, origin },
  ...(typeof sent === 'number' ? { ms: toMs(sent, head) } : {}),
});

const toSettled = ([kind, path, target, attempt, usage, finishReasons, end]: SettledValues): Settled => ({
  ...{ kind, path, target, attempt, usage: usageOfValues(usage) },
  ...(Array.isArray(finishReasons) ? { finishReasons } : {}),
  ...(typeof end === 'number' ? { ms: { end: end / 100 } } : {}),
});

const isList = (values: EventValues): values is AttemptedValues | SettledValues => Array.isArray(values);

/** Creates the event from its values. */
const eventOfValues = (values: EventValues): TrailEvent => {
  if (!isList(values)) return values;
  return values[0] === 'attempted' ? toAttempted(values) : toSettled(values);
};

/** Shows the usage and cost of one attempt. */
const usageView = ({ kind, model, input, output, calls, cost }: UsageRecord): JsonObject => ({
  kind,
  model,
  input_tokens: input.total,
  output_tokens: output.total,
  ...(input.cacheRead === undefined ? {} : { cache_read_tokens: input.cacheRead }),
  ...(output.reasoning === undefined ? {} : { reasoning_tokens: output.reasoning }),
  ...(calls === undefined ? {} : { calls }),
  ...(cost === undefined ? {} : { cost_nano_usd: cost.nanoUsd }),
});

/** Returns the cause of a failed attempt, in the words of `problem.cause`. The trail has no cause if the provider answered. */
const failureOf = ({ status, origin, cause }: Attempted): string | undefined =>
  cause ?? (origin === 'upstream' && status >= 400 ? upstreamCause(status) : undefined);

/** Lists the attempts of a request, in order. Times are milliseconds after the head of the request. */
const recordedAttempts = (trail: readonly TrailEvent[], targets: NotedRequest['targets']): readonly JsonObject[] => {
  const settled = trail.filter((event) => event.kind === 'settled');
  return trail.flatMap((event): JsonObject[] => {
    if (event.kind !== 'attempted') return [];
    const { path, target, attempt, status, origin } = event;
    const { slug, provider } = targets[path] ?? {};
    const end = settled.find((each) => each.path === path && each.attempt === attempt);
    const { ms: { sent, head } = {}, key, requests } = event;
    const cause = failureOf(event);
    const last = end?.ms?.end;
    return [
      {
        ...{ path, target, attempt, status, origin },
        ...(key === undefined ? {} : { key }),
        ...(cause === undefined ? {} : { cause }),
        ...(requests === undefined ? {} : { requests }),
        ...(slug === undefined ? {} : { slug }),
        ...(provider === undefined ? {} : { provider }),
        ...(sent === undefined ? {} : { sent_ms: sent }),
        ...(head === undefined ? {} : { first_byte_ms: head }),
        ...(last === undefined ? {} : { last_byte_ms: last }),
        ...(end === undefined ? {} : { usage: usageView(end.usage) }),
      },
    ];
  });
};

/**
 * The members of a record that are not columns, as they are stored. Its attempts are in its trail, whose events have no member
 * names.
 */
export interface RetainedDetail extends Pick<NotedRequest, 'targets' | 'checks'> {
  readonly seed: number;
  readonly metadata: JsonObject;
  readonly once?: true;
  /** The name of what the request's virtual model stands for. */
  readonly plan_model?: string;
  /** The deadline that the request set. */
  readonly deadline_ms?: number;
  readonly stream?: true;
  readonly empty?: true;
  readonly problem?: JsonObject;
  readonly headers?: JsonObject;
  readonly error?: string;
  readonly trail: readonly EventValues[];
}

const isKept = (detail: JsonObject | RetainedDetail): detail is RetainedDetail => 'targets' in detail;

/** Shows the detail of a record. Records of earlier versions, and sent-in records, are stored as they are shown. */
export const shownDetail = (detail: JsonObject | undefined): JsonObject => {
  if (detail === undefined || !isKept(detail)) return detail ?? {};
  const { targets, trail: values, ...shown } = detail;
  const trail = values.map(eventOfValues);
  // Events of the trail are plain objects.
  return { ...shown, attempts: recordedAttempts(trail, targets), trail: trail as unknown as readonly JsonObject[] };
};
