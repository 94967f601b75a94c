import type { Usage } from '../../../schema/conversation/conversation.ts';
import { summedUsage } from '../../../schema/conversation/summed-usage.ts';
import { joinedRecord, type UsageRecord } from '../../../schema/usage/usage-record.ts';
import type { StreamSource } from '../call/stream-source.ts';

/** The usage of an answer that consists of several streams. */
export class WholeUsage {
  readonly #sources: StreamSource[] = [];

  add(source: StreamSource): void {
    this.#sources.push(source);
  }

  counts(): Usage {
    return summedUsage(this.#sources.map((source) => source.counts()));
  }

  /** Returns the records of all attempts. Undefined if nobody consumes them. */
  records(): readonly UsageRecord[] | undefined {
    const records = this.#sources.map((source) => source.records());
    return records.every((list) => list !== undefined) ? records.flat() : undefined;
  }

  /** Returns the record for a caller who asks for it. Undefined if an attempt has none. */
  record(): UsageRecord | undefined {
    const records = this.records();
    const [first] = records ?? [];
    if (records === undefined || first === undefined) return undefined;
    return joinedRecord(records, { counts: this.counts(), kind: 'partial', model: first.model });
  }
}
