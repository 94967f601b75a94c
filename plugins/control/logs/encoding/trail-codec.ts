import { fromJson } from '../../../../schema/json/from-json.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import type { Writable } from '../../../../schema/json/writable.ts';
import type { AttemptMs, CheckPhase, TrailEvent, TrailEventOf } from '../../../../schema/trail/trail.ts';
import type { InputTokens, OutputTokens, UsageRecord } from '../../../../schema/usage/usage-record.ts';
import type { JudgedHook } from '../../../sdk/hooks/hook-result.ts';
import { isUsualAttempt } from './is-usual-attempt.ts';
import type { NoteReader, NoteWriter } from './note-writer.ts';

/** The optional members of a usage record, as bits of two bytes. */
const tokens = {
  tier: 1,
  cacheRead: 2,
  cacheWrite: 4,
  inputAudio: 8,
  inputImage: 16,
  reasoning: 32,
  outputAudio: 64,
  outputImage: 128,
} as const;
const others = { hitRate: 1, calls: 2, cost: 4 } as const;

/** Returns the bit if it is set, and 0 otherwise. */
const bit = (isSet: boolean, is: number): number => (isSet ? is : 0);

/** Writes the usage members that `usageValues` has. */
const writeUsage = (to: NoteWriter, usage: UsageRecord): void => {
  const { kind, model, tier, input, output, cacheHitRate, calls, cost } = usage;
  to.small(
    bit(tier !== undefined, tokens.tier) |
      bit(input.cacheRead !== undefined, tokens.cacheRead) |
      bit(input.cacheWrite !== undefined, tokens.cacheWrite) |
      bit(input.audio !== undefined, tokens.inputAudio) |
      bit(input.image !== undefined, tokens.inputImage) |
      bit(output.reasoning !== undefined, tokens.reasoning) |
      bit(output.audio !== undefined, tokens.outputAudio) |
      bit(output.image !== undefined, tokens.outputImage),
  );
  to.small(
    bit(cacheHitRate !== undefined, others.hitRate) |
      bit(calls !== undefined, others.calls) |
      bit(cost !== undefined, others.cost),
  );
  to.name(kind).name(model).number(input.total);
  if (input.cacheRead !== undefined) to.number(input.cacheRead);
  if (input.cacheWrite !== undefined) to.name(JSON.stringify(input.cacheWrite));
  if (input.audio !== undefined) to.number(input.audio);
  if (input.image !== undefined) to.number(input.image);
  to.number(output.total);
  if (output.reasoning !== undefined) to.number(output.reasoning);
  if (output.audio !== undefined) to.number(output.audio);
  if (output.image !== undefined) to.number(output.image);
  if (tier !== undefined) to.name(tier);
  if (cacheHitRate !== undefined) to.number(cacheHitRate);
  if (calls !== undefined) to.name(JSON.stringify(calls));
  if (cost !== undefined) to.number(cost.nanoUsd).name(cost.prices);
};

const readInput = (from: NoteReader, presence: number): InputTokens => {
  const input: Writable<InputTokens> = { total: from.number() };
  if (presence & tokens.cacheRead) input.cacheRead = from.number();
  if (presence & tokens.cacheWrite) input.cacheWrite = fromJson(from.text());
  if (presence & tokens.inputAudio) input.audio = from.number();
  if (presence & tokens.inputImage) input.image = from.number();
  return input;
};

const readOutput = (from: NoteReader, presence: number): OutputTokens => {
  const output: Writable<OutputTokens> = { total: from.number() };
  if (presence & tokens.reasoning) output.reasoning = from.number();
  if (presence & tokens.outputAudio) output.audio = from.number();
  if (presence & tokens.outputImage) output.image = from.number();
  return output;
};

/** Reads usage. Each attempt has one, so members are added one by one, because spreading them takes several times as long. */
const readUsage = (from: NoteReader): UsageRecord => {
  const counted = from.small();
  const presence = from.small();
  const usage: Writable<UsageRecord> = {
    kind: from.text() as UsageRecord['kind'],
    model: from.text(),
    input: readInput(from, counted),
    output: readOutput(from, counted),
  };
  if (counted & tokens.tier) usage.tier = from.text();
  if (presence & others.hitRate) usage.cacheHitRate = from.number();
  if (presence & others.calls) usage.calls = fromJson(from.text());
  if (presence & others.cost) usage.cost = { nanoUsd: from.number(), prices: from.text() };
  return usage;
};

type Attempted = TrailEventOf<'attempted'>;
type Settled = TrailEventOf<'settled'>;

/** The kind of the following data: no event, an event as JSON, or a common event. */
const kinds = { end: 0, json: 1, attempted: 2, settled: 3, chose: 4, checked: 5 } as const;

/** Special values for the number of reasons: none, or so many that they are a JSON text. */
const reasons = { none: 255, json: 254 } as const;

const writeReasons = (to: NoteWriter, finishReasons: readonly string[] | undefined): void => {
  if (finishReasons === undefined) to.small(reasons.none);
  else if (finishReasons.length >= reasons.json) to.small(reasons.json).text(JSON.stringify(finishReasons));
  else {
    to.small(finishReasons.length);
    for (const reason of finishReasons) to.name(reason);
  }
};

const readReasons = (from: NoteReader): readonly string[] | undefined => {
  const count = from.small();
  if (count === reasons.none) return undefined;
  if (count === reasons.json) return fromJson(from.text());
  const read: string[] = [];
  while (read.length < count) read.push(from.text());
  return read;
};

const writeAttempted = (to: NoteWriter, { path, target, attempt, status, origin, ms }: Attempted): void => {
  to.name(path).name(target).number(attempt).number(status).name(origin);
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
  const event: Writable<Attempted> = {
    kind: 'attempted',
    path: from.text() as JsonPointer,
    target: from.text(),
    attempt: from.number(),
    status: from.number(),
    origin: from.text() as Attempted['origin'],
  };
  const ms = readMs(from);
  if (ms !== undefined) event.ms = ms;
  return event;
};

const writeSettled = (to: NoteWriter, { path, target, attempt, usage, finishReasons, ms }: Settled): void => {
  to.name(path).name(target).number(attempt);
  writeUsage(to, usage);
  writeReasons(to, finishReasons);
  to.number(ms?.end ?? null);
};

const readSettled = (from: NoteReader): Settled => {
  const event: Writable<Settled> = {
    kind: 'settled',
    path: from.text() as JsonPointer,
    target: from.text(),
    attempt: from.number(),
    usage: readUsage(from),
  };
  const finishReasons = readReasons(from);
  const end = from.optionalNumber();
  if (finishReasons !== undefined) event.finishReasons = finishReasons;
  if (end !== undefined) event.ms = { end };
  return event;
};

const writeEvent = (to: NoteWriter, event: TrailEvent): void => {
  if (event.kind === 'attempted' && isUsualAttempt(event)) writeAttempted(to.small(kinds.attempted), event);
  else if (event.kind === 'settled') writeSettled(to.small(kinds.settled), event);
  else if (event.kind === 'chose') to.small(kinds.chose).name(event.path).number(event.branch);
  else if (event.kind === 'checked' && event.erred === undefined)
    to.small(kinds.checked).name(event.path).name(event.phase).name(event.result);
  else to.small(kinds.json).text(JSON.stringify(event));
};

export const writeTrail = (to: NoteWriter, trail: readonly TrailEvent[]): void => {
  for (const event of trail) writeEvent(to, event);
  to.small(kinds.end);
};

const readChecked = (from: NoteReader): TrailEventOf<'checked'> => ({
  kind: 'checked',
  path: from.text() as JsonPointer,
  phase: from.text() as TrailEventOf<'checked'>['phase'],
  result: from.text() as TrailEventOf<'checked'>['result'],
});

const readEvent = (from: NoteReader, kind: number): TrailEvent => {
  if (kind === kinds.attempted) return readAttempted(from);
  if (kind === kinds.settled) return readSettled(from);
  if (kind === kinds.chose) return { kind: 'chose', path: from.text() as JsonPointer, branch: from.number() };
  if (kind === kinds.checked) return readChecked(from);
  if (kind === kinds.json) return fromJson(from.text());
  throw new RangeError(`There is no trail event of the kind ${kind}.`);
};

export const readTrail = (from: NoteReader): readonly TrailEvent[] => {
  const trail: TrailEvent[] = [];
  for (let kind = from.small(); kind !== kinds.end; kind = from.small()) trail.push(readEvent(from, kind));
  return trail;
};

/** The findings of a hook, without any of its texts. */
export interface RecordedHook extends JsonObject {
  readonly id: string;
  readonly path: JsonPointer;
  readonly phase: CheckPhase;
  readonly verdict: boolean;
  readonly deny: boolean;
  readonly checks: readonly RecordedCheck[];
}

interface RecordedCheck extends JsonObject {
  readonly id: string;
  readonly verdict: boolean;
  /** The hook failed with an error, so that the verdict is the one that its config sets for errors. */
  readonly erred?: true;
}

const recordedCheck = (id: string, verdict: boolean, hasErred: boolean): RecordedCheck =>
  hasErred ? { id, verdict, erred: true } : { id, verdict };

/** Lists the findings of hooks and their checks, without any of their texts. */
export const recordedChecks = (judged: readonly JudgedHook[]): readonly RecordedHook[] =>
  judged.map(({ path, phase, result }) => ({
    id: result.id,
    path,
    phase,
    verdict: result.verdict,
    deny: result.deny,
    checks: result.checks.map(({ id, verdict, error }) => recordedCheck(id, verdict, error !== undefined)),
  }));

/** The findings of a hook or a check, as bits. */
const findings = { verdict: 1, deny: 2, erred: 4 } as const;

/** Writes the findings of hooks, each with the results of its checks. */
export const writeChecks = (to: NoteWriter, hooks: readonly RecordedHook[]): void => {
  for (const { id, path, phase, verdict, deny, checks } of hooks) {
    to.name(id)
      .name(path)
      .name(phase)
      .small(bit(verdict, findings.verdict) | bit(deny, findings.deny));
    for (const check of checks) {
      const { id: name, verdict: passes, erred } = check;
      to.name(name).small(bit(passes, findings.verdict) | bit(erred === true, findings.erred));
    }
    to.name(null);
  }
  to.name(null);
};

export const readChecks = (from: NoteReader): readonly RecordedHook[] =>
  from.list((id) => {
    const path = from.text() as JsonPointer;
    const phase = from.text() as CheckPhase;
    const found = from.small();
    return {
      ...{ id, path, phase, verdict: (found & findings.verdict) !== 0, deny: (found & findings.deny) !== 0 },
      checks: from.list((check) => {
        const judged = from.small();
        return recordedCheck(check, (judged & findings.verdict) !== 0, (judged & findings.erred) !== 0);
      }),
    };
  });
