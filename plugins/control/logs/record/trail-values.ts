import type { JsonPointer } from '../../../../schema/pointer.ts';
import type { TrailEvent } from '../../../../schema/trail.ts';
import { type Listed, type UsageValues, usageOfValues, usageValues } from '../../store/usage-values.ts';

type Attempted = Extract<TrailEvent, { kind: 'attempted' }>;
type Settled = Extract<TrailEvent, { kind: 'settled' }>;

type AttemptedValues = readonly [
  kind: 'attempted',
  path: JsonPointer,
  target: string,
  attempt: number,
  status: number,
  origin: Attempted['origin'],
  sent: Listed<number>,
  head: Listed<number>,
];

type SettledValues = readonly [
  kind: 'settled',
  path: JsonPointer,
  target: string,
  attempt: number,
  usage: UsageValues,
  finishReasons: Listed<readonly string[]>,
  end: Listed<number>,
];

/** An event of a trail; those that each request has are without the names of their members. */
export type EventValues = AttemptedValues | SettledValues | Exclude<TrailEvent, Attempted | Settled>;

export const eventValues = (event: TrailEvent): EventValues => {
  if (event.kind === 'attempted') {
    const { kind, path, target, attempt, status, origin, ms } = event;
    return [kind, path, target, attempt, status, origin, ms?.sent, ms?.head];
  }
  if (event.kind === 'settled') {
    const { kind, path, target, attempt, usage, finishReasons, ms } = event;
    return [kind, path, target, attempt, usageValues(usage), finishReasons, ms?.end];
  }
  return event;
};

const attemptedOf = ([kind, path, target, attempt, status, origin, sent, head]: AttemptedValues): Attempted => ({
  ...{ kind, path, target, attempt, status, origin },
  ...(typeof sent === 'number' ? { ms: typeof head === 'number' ? { sent, head } : { sent } } : {}),
});

const settledOf = ([kind, path, target, attempt, usage, finishReasons, end]: SettledValues): Settled => ({
  ...{ kind, path, target, attempt, usage: usageOfValues(usage) },
  ...(Array.isArray(finishReasons) ? { finishReasons } : {}),
  ...(typeof end === 'number' ? { ms: { end } } : {}),
});

const isList = (values: EventValues): values is AttemptedValues | SettledValues => Array.isArray(values);

/** The event that the values were made of. */
export const eventOfValues = (values: EventValues): TrailEvent => {
  if (!isList(values)) return values;
  return values[0] === 'attempted' ? attemptedOf(values) : settledOf(values);
};
