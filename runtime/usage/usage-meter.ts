import type { Dialect, Frame } from '../../plugins/sdk/dialect/dialect.ts';
import type { AnswerEvent } from '../../schema/conversation/answer.ts';
import type { Usage } from '../../schema/conversation/conversation.ts';
import { mergedUsage } from '../../schema/conversation/merged-usage.ts';
import { summedUsage } from '../../schema/conversation/summed-usage.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import { isPlausibleUsage } from '../../schema/usage/plausible-usage.ts';
import { type RecordInMaking, toUsageRecord, type UsageRecord } from '../../schema/usage/usage-record.ts';
import { findJsonObject } from '../json-bodies/read/find-json-object.ts';
import { parsedObject } from '../json-bodies/read/parsed-object.ts';
import { pickMembers } from '../json-bodies/read/pick-members.ts';
import { estimatedTokens } from './request-bytes.ts';
import { spokenBytes, spokenPattern } from './spoken-bytes.ts';

/** The context of a call in addition to its answer. */
export interface MeteredCall {
  /** The requested model, for answers that name none. A function is called only in that case. */
  readonly model: string | (() => string);
  /** Returns the bytes of text in the request. Called only if the provider reports nothing. */
  requestBytes(): number;
}

/** One of several requests that form one attempt, with the meter of its answer. */
export interface MeteredPart {
  readonly meter: UsageMeter;
  /** Returns the bytes of text in it. */
  requestBytes(): number;
}

/** How much of an answer has come: nothing that could have used anything, a part, or all. */
type Extent = 'none' | 'part' | 'all';

const nothingUsed: Usage = { input: 0, output: 0 };
const nothingCounted: Usage = { input: 0, output: 0, missing: ['input', 'output'] };

/**
 * How many choices of an answer have their finish reasons recorded, and how long a reason may be, because providers may send
 * anything.
 */
const maxChoices = 128;
const longestReason = 64;

const noReasons: readonly string[] = [];

const countBytes = (text: string | undefined): number => (text === undefined ? 0 : Buffer.byteLength(text));

const spokenIn = (event: AnswerEvent): number => {
  switch (event.kind) {
    case 'text':
    case 'refusal':
    case 'tool-arguments':
      return countBytes(event.text);
    case 'reasoning':
      return countBytes(event.text) + countBytes(event.summary?.text);
    default:
      return 0;
  }
};

/**
 * Reads what one attempt uses from its answer, which is in the provider's dialect. Without a dialect, the answer cannot be read.
 */
export class UsageMeter {
  readonly #dialect: Dialect | undefined;
  readonly #spoken: RegExp | undefined;
  #extent: Extent = 'none';
  #usage: Usage | undefined;
  #model: string | undefined;
  #spokenBytes = 0;
  #finishReasons: readonly string[] = noReasons;
  /** A whole answer, until its contents are needed. */
  #unread: Uint8Array | undefined;
  /** The kind of the figures of several requests. Absent if there is only one. */
  #kindOfSum: UsageRecord['kind'] | undefined;

  constructor(dialect: Dialect | undefined) {
    this.#dialect = dialect;
    this.#spoken = dialect === undefined ? undefined : spokenPattern(dialect);
  }

  /** A text that occurs in every frame that has to be read. Undefined if all have to be. */
  get mark(): string | undefined {
    return this.#dialect?.streamUsage?.mark;
  }

  /** Why the choices of the answer have ended, in the provider's words, as far as it was read. */
  get finishReasons(): readonly string[] {
    this.#readAnswer();
    return this.#finishReasons;
  }

  /** Called when the provider has begun to answer. */
  begin(): void {
    this.#extent = 'part';
  }

  /** Called when the answer is complete. */
  end(): void {
    this.#extent = 'all';
  }

  /** Called when the provider reported an error in place of an answer. */
  refuse(): void {
    if (this.#usage === undefined) this.#extent = 'none';
  }

  /** Records the usage that a passed-through answer reports, and its model if it names one. */
  pass(usage: Usage, isWhole: boolean, model?: string): void {
    this.#extent = isWhole ? 'all' : 'part';
    this.#model = model;
    this.#note(usage);
  }

  /** Records the usage of several requests, each with the figures of its answer or an estimate in their place. */
  sum(parts: readonly MeteredPart[]): void {
    for (const { meter } of parts) meter.#readAnswer();
    const used = parts.filter(({ meter }) => meter.#extent !== 'none' || meter.#usage !== undefined);
    const [first] = used;
    if (first === undefined) return;
    const kinds = new Set(used.map(({ meter }) => meter.#toKind(meter.#usage)));
    const [kind = 'partial'] = kinds;
    this.#kindOfSum = kinds.size === 1 ? kind : 'partial';
    this.#usage = summedUsage(used.map(({ meter, requestBytes }) => meter.usage({ requestBytes })));
    this.#model = first.meter.#model;
    this.end();
  }

  /** Records the body of a whole answer. Undefined if it cannot be read. */
  body(wire: JsonObject | undefined): void {
    this.end();
    if (wire === undefined) return;
    this.#read(wire);
    if (this.#lacksOutput) this.#spokenBytes = this.#bodyBytes(wire);
  }

  /** Does the same from its bytes, which are read when their contents are needed. */
  bytes(answer: Uint8Array): void {
    this.end();
    this.#unread = answer;
  }

  /** Records a frame of a stream in the client's own dialect. */
  frame({ data }: Frame): void {
    const { mark } = this;
    if (this.#spoken !== undefined) this.#spokenBytes += spokenBytes(data, this.#spoken);
    if (mark !== undefined && !data.includes(mark)) return;
    const wire = parsedObject(data);
    if (wire !== undefined) this.#read(wire);
  }

  /** Records whole frames of such a stream without the mark, as latin1. */
  unread(frames: string): void {
    if (this.#spoken !== undefined) this.#spokenBytes += spokenBytes(frames, this.#spoken);
  }

  /** Records an event of a stream that is translated. */
  event(event: AnswerEvent): void {
    this.#spokenBytes += spokenIn(event);
    if (event.kind === 'usage') this.#note(event.usage);
    if (event.kind === 'finish') this.#finish([event.finish.raw ?? event.finish.reason]);
    if (event.kind !== 'start') return;
    if (event.usage !== undefined) this.#note(event.usage);
    if (event.model !== '') this.#model = event.model;
  }

  /** Creates the record of the attempt's usage, as far as it is known. Each caller receives a new record, and may add to it. */
  record(call: MeteredCall): RecordInMaking {
    this.#readAnswer();
    const model = this.#model ?? (typeof call.model === 'string' ? call.model : call.model());
    const statedCounts = this.#usage;
    if (statedCounts === undefined && this.#extent === 'none')
      return toUsageRecord(nothingUsed, { kind: 'none', model });
    return toUsageRecord(this.usage(call), { kind: this.#toKind(statedCounts), model });
  }

  /** Returns the counts so far. Those that the provider has not reported are estimated from the text. */
  usage({ requestBytes }: Pick<MeteredCall, 'requestBytes'>): Usage {
    this.#readAnswer();
    const counts = this.#usage ?? nothingCounted;
    if (counts.missing === undefined) return counts;
    const { missing, atLeast = 0, ...statedCounts } = counts;
    const { output } = statedCounts;
    const input = missing.includes('input')
      ? Math.max(statedCounts.input, estimatedTokens(requestBytes()))
      : statedCounts.input;
    const spoken = Math.max(output, estimatedTokens(this.#spokenBytes), atLeast - input);
    return { ...statedCounts, input, output: missing.includes('output') ? spoken : output };
  }

  /** Members of an answer that are not metered are only checked. */
  #readAnswer(): void {
    const answer = this.#unread;
    if (answer === undefined) return;
    this.#unread = undefined;
    const members = this.#dialect?.metered;
    if (members === undefined) {
      this.body(findJsonObject(answer));
      return;
    }
    const wire = pickMembers(answer, members);
    if (wire === undefined) return;
    this.#read(wire);
    if (this.#lacksOutput) this.#spokenBytes = this.#bodyBytes(findJsonObject(answer) ?? wire);
  }

  #toKind(statedCounts: Usage | undefined): UsageRecord['kind'] {
    if (this.#kindOfSum !== undefined) return this.#kindOfSum;
    if (statedCounts === undefined || statedCounts.missing?.length === 2) return 'estimated';
    return this.#extent === 'all' && statedCounts.missing === undefined ? 'reported' : 'partial';
  }

  get #lacksOutput(): boolean {
    return this.#usage?.missing?.includes('output') ?? this.#usage === undefined;
  }

  #note(usage: Usage): void {
    if (isPlausibleUsage(usage)) this.#usage = mergedUsage(this.#usage, usage);
  }

  #finish(reasons: readonly string[]): void {
    if (reasons.length === 0) return;
    const areKept = reasons.length <= maxChoices && reasons.every(({ length }) => length <= longestReason);
    const kept = areKept ? reasons : reasons.slice(0, maxChoices).map((reason) => reason.slice(0, longestReason));
    const before = this.#finishReasons;
    this.#finishReasons = before.length === 0 ? kept : before.concat(kept).slice(0, maxChoices);
  }

  /** Reads an answer's usage. What a dialect cannot read is unknown, and the answer itself continues. */
  #read(wire: JsonObject): void {
    const dialect = this.#dialect;
    try {
      this.#model = dialect?.answeredBy?.(wire) || this.#model;
      const usage = dialect?.usage?.(wire, this.#usage);
      if (usage !== undefined) this.#note(usage);
      this.#finish(dialect?.finishReasons?.(wire) ?? []);
    } catch {
      // A plugin's dialect failed.
    }
  }

  #bodyBytes(wire: JsonObject): number {
    try {
      const spans = this.#dialect?.texts?.(wire, 'output') ?? [];
      return spans.reduce((sum, { text, kind }) => (kind === 'other' ? sum : sum + countBytes(text)), 0);
    } catch {
      return 0;
    }
  }
}
