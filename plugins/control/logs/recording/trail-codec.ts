import { fromJson } from '../../../../schema/json/from-json.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import type { AttemptMs, TrailEvent } from '../../../../schema/trail/trail.ts';
import type { NoteReader, NoteWriter } from './note-writer.ts';
import { readUsage, writeUsage } from './usage-codec.ts';

type EventOf<Kind extends TrailEvent['kind']> = Extract<TrailEvent, { kind: Kind }>;
type Attempted = EventOf<'attempted'>;
type Settled = EventOf<'settled'>;

/** What follows: no event, an event as JSON, or one of those that many requests have. */
const kinds = { end: 0, json: 1, attempted: 2, settled: 3, chose: 4, checked: 5 } as const;

/** There are no reasons, or so many that they are a JSON text. */
const reasons = { none: 255, json: 254 } as const;

const writeAttempted = (to: NoteWriter, { path, target, attempt, status, origin, ms }: Attempted): void => {
  to.name(path);
  to.name(target);
  to.number(attempt);
  to.number(status);
  to.name(origin);
  to.number(ms?.sent ?? null);
  if (ms !== undefined) to.number(ms.head ?? null);
};

const readMs = (from: NoteReader): AttemptMs | undefined => {
  const sent = from.optionalNumber();
  if (sent === undefined) return undefined;
  const head = from.optionalNumber();
  return head === undefined ? { sent } : { sent, head };
};

const readAttempted = (from: NoteReader): Attempted => {
  const event = {
    kind: 'attempted' as const,
    path: from.text() as JsonPointer,
    target: from.text(),
    attempt: from.number(),
    status: from.number(),
    origin: from.text() as Attempted['origin'],
  };
  const ms = readMs(from);
  return ms === undefined ? event : { ...event, ms };
};

const writeReasons = (to: NoteWriter, finishReasons: readonly string[] | undefined): void => {
  if (finishReasons === undefined) {
    to.small(reasons.none);
    return;
  }
  if (finishReasons.length >= reasons.json) {
    to.small(reasons.json);
    to.text(JSON.stringify(finishReasons));
    return;
  }
  to.small(finishReasons.length);
  for (const reason of finishReasons) to.name(reason);
};

const readReasons = (from: NoteReader): readonly string[] | undefined => {
  const count = from.small();
  if (count === reasons.none) return undefined;
  return count === reasons.json ? fromJson(from.text()) : Array.from({ length: count }, () => from.text());
};

const writeSettled = (to: NoteWriter, { path, target, attempt, usage, finishReasons, ms }: Settled): void => {
  to.name(path);
  to.name(target);
  to.number(attempt);
  writeUsage(to, usage);
  writeReasons(to, finishReasons);
  to.number(ms?.end ?? null);
};

const readSettled = (from: NoteReader): Settled => {
  const event = {
    kind: 'settled' as const,
    path: from.text() as JsonPointer,
    target: from.text(),
    attempt: from.number(),
    usage: readUsage(from),
  };
  const finishReasons = readReasons(from);
  const end = from.optionalNumber();
  const reasoned = finishReasons === undefined ? event : { ...event, finishReasons };
  return end === undefined ? reasoned : { ...reasoned, ms: { end } };
};

const writeChose = (to: NoteWriter, { path, branch }: EventOf<'chose'>): void => {
  to.name(path);
  to.number(branch);
};

const writeChecked = (to: NoteWriter, { path, phase, result }: EventOf<'checked'>): void => {
  to.name(path);
  to.name(phase);
  to.name(result);
};

const writeEvent = (to: NoteWriter, event: TrailEvent): void => {
  if (event.kind === 'attempted') {
    to.small(kinds.attempted);
    writeAttempted(to, event);
  } else if (event.kind === 'settled') {
    to.small(kinds.settled);
    writeSettled(to, event);
  } else if (event.kind === 'chose') {
    to.small(kinds.chose);
    writeChose(to, event);
  } else if (event.kind === 'checked') {
    to.small(kinds.checked);
    writeChecked(to, event);
  } else {
    to.small(kinds.json);
    to.text(JSON.stringify(event));
  }
};

export const writeTrail = (to: NoteWriter, trail: readonly TrailEvent[]): void => {
  for (const event of trail) writeEvent(to, event);
  to.small(kinds.end);
};

const readChose = (from: NoteReader): EventOf<'chose'> => ({
  kind: 'chose',
  path: from.text() as JsonPointer,
  branch: from.number(),
});

const readChecked = (from: NoteReader): EventOf<'checked'> => ({
  kind: 'checked',
  path: from.text() as JsonPointer,
  phase: from.text() as EventOf<'checked'>['phase'],
  result: from.text() as EventOf<'checked'>['result'],
});

const readEvent = (from: NoteReader, kind: number): TrailEvent => {
  if (kind === kinds.attempted) return readAttempted(from);
  if (kind === kinds.settled) return readSettled(from);
  if (kind === kinds.chose) return readChose(from);
  if (kind === kinds.checked) return readChecked(from);
  if (kind === kinds.json) return fromJson(from.text());
  throw new RangeError(`No event of a trail is of the kind ${kind}.`);
};

export const readTrail = (from: NoteReader): readonly TrailEvent[] => {
  const trail: TrailEvent[] = [];
  for (let kind = from.small(); kind !== kinds.end; kind = from.small()) trail.push(readEvent(from, kind));
  return trail;
};
