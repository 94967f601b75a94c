import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import type { AttemptMs, TrailEvent } from '../../../../schema/trail/trail.ts';
import { type Listed, type UsageValues, usageOfValues, usageValues } from '../../kernel/store/usage-values.ts';

type Attempted = Extract<TrailEvent, { kind: 'attempted' }>;
type Settled = Extract<TrailEvent, { kind: 'settled' }>;

/** A time with two decimals, in whole hundredths of a millisecond: JSON writes these faster. */
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

/** An event of a trail; those that each request has are without the names of their members. */
export type EventValues = AttemptedValues | SettledValues | Exclude<TrailEvent, Attempted | Settled>;

export const eventValues = (event: TrailEvent): EventValues => {
  if (event.kind === 'attempted') {
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

/** The event that the values were made of. */
export const eventOfValues = (values: EventValues): TrailEvent => {
  if (!isList(values)) return values;
  return values[0] === 'attempted' ? toAttempted(values) : toSettled(values);
};
