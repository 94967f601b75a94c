import type { Usage } from '../../../schema/conversation/conversation.ts';
import { summedUsage } from '../../../schema/conversation/summed-usage.ts';
import { toUsageRecord, type UsageRecord } from '../../../schema/usage/usage-record.ts';
import type { StreamSource } from '../call/stream-source.ts';

/** The usage of an answer that several streams gave together. */
export class WholeUsage {
  readonly #sources: StreamSource[] = [];

  add(source: StreamSource): void {
    this.#sources.push(source);
  }

  counts(): Usage {
    return summedUsage(this.#sources.map((source) => source.counts()));
  }

  /** The records of all attempts; undefined where nobody consumes them. */
  records(): readonly UsageRecord[] | undefined {
    const records = this.#sources.map((source) => source.records());
    return records.every((list) => list !== undefined) ? records.flat() : undefined;
  }

  /** The record for a caller who asks for it; undefined where there is none of an attempt. */
  record(): UsageRecord | undefined {
    const records = this.records();
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
