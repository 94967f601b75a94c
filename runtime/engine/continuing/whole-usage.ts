import type { AnswerEvent } from '../../../schema/conversation/answer.ts';
import type { Usage } from '../../../schema/conversation/conversation.ts';
import { summedUsage } from '../../../schema/conversation/summed-usage.ts';
import { toUsageRecord, type UsageRecord } from '../../../schema/usage/usage-record.ts';
import { UsageMeter } from '../../usage/usage-meter.ts';
import type { CountedUsage, StreamSource } from '../call/stream-source.ts';

/** What one attempt of a stream used: as it is counted, or where nothing counts it, as its client reads it. */
class UsedByAttempt {
  readonly #source: StreamSource;
  readonly #meter = new UsageMeter(undefined);

  constructor(source: StreamSource) {
    this.#source = source;
    this.#meter.begin();
  }

  get attempts(): readonly CountedUsage[] | undefined {
    return this.#source.usage();
  }

  heard(event: AnswerEvent): void {
    this.#meter.event(event);
  }

  counts(): readonly Usage[] {
    return this.attempts?.map((usage) => usage.counts()) ?? [this.#meter.usage(this.#source)];
  }
}

/** The usage of an answer that several attempts gave together. */
export class WholeUsage {
  readonly #used: UsedByAttempt[] = [];

  /** One more attempt goes on with the answer. */
  begin(source: StreamSource): void {
    this.#used.push(new UsedByAttempt(source));
  }

  /** The last one said this. */
  heard(event: AnswerEvent): void {
    this.#used.at(-1)?.heard(event);
  }

  counts(): Usage {
    return summedUsage(this.#used.flatMap((used) => used.counts()));
  }

  /** The attempts so far, where somebody counts them. */
  attempts(): readonly CountedUsage[] | undefined {
    const found = this.#used.map(({ attempts }) => attempts);
    return found.every((list) => list !== undefined) ? found.flat() : undefined;
  }

  /** The record for a caller who asks for it; undefined where nothing counts. */
  record(): UsageRecord | undefined {
    const records = this.attempts()?.map((usage) => usage.record());
    const [first] = records ?? [];
    if (records === undefined || first === undefined) return undefined;
    const record = toUsageRecord(this.counts(), { kind: 'partial', model: first.model });
    const costs = records.flatMap(({ cost }) => cost ?? []);
    const [cost] = costs;
    if (cost !== undefined && costs.length === records.length)
      record.cost = { nanoUsd: costs.reduce((sum, { nanoUsd }) => sum + nanoUsd, 0), prices: cost.prices };
    return record;
  }
}
