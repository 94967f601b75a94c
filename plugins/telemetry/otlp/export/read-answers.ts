import { lazyDialects } from '../../../dialects/lazy-dialects.ts';
import type { Dialect } from '../../../sdk/dialect/dialect.ts';
import type { AnswerReader, ReadAnswer } from '../../../sdk/hooks/answer-reader.ts';
import { usedTokens } from '../records/attempt-record.ts';
import {
  type AttemptFacts,
  type AttemptRecord,
  chosenText,
  type TelemetryRecord,
  type WrittenRecord,
} from '../records/records.ts';
import type { AnswerReaderModule, AnswerReading } from './messages.ts';

export interface AnswersReader extends Pick<AnswerReader, 'listedModel'> {
  /** Returns the records of a batch after reading all of its answers. */
  read(records: readonly WrittenRecord[]): Promise<readonly TelemetryRecord[]>;
}

const completed = (facts: AttemptFacts, read: ReadAnswer | undefined): AttemptRecord => ({
  kind: 'attempt',
  ...facts,
  askedModel: read?.askedModel === undefined ? null : chosenText(read.askedModel),
  streamFailure: null,
  model: read === undefined ? '' : chosenText(read.usage.model),
  usage: read === undefined ? null : usedTokens(read.usage),
  finishReasons: read === undefined || read.finishReasons.length === 0 ? null : read.finishReasons,
});

/** Whether a record has a cost, or the name of a model that is looked up in price lists. */
const needsPrices = (record: WrittenRecord): boolean =>
  record.kind === 'unread' || (record.kind === 'attempt' && record.isMeasured);

/** @param timeOrigin the zero of the runtime's clock, in milliseconds since the epoch */
export const answersReader = async ({ module, prices }: AnswerReading, timeOrigin: number): Promise<AnswersReader> => {
  const { createAnswerReader }: AnswerReaderModule = await import(module);
  const reader = createAnswerReader(prices);
  const dialects = new Map<string, Dialect>();

  /** Loads what is needed to read the records, once. */
  const prepare = async (records: readonly WrittenRecord[]): Promise<void> => {
    // Without prices, only usage is reported, and only names of models from plans.
    if (records.some(needsPrices)) await reader.ready()?.catch(() => {});
    for (const record of records) {
      if (record.kind !== 'unread' || dialects.has(record.unread.dialect)) continue;
      const dialect = await lazyDialects.find(({ id }) => id === record.unread.dialect)?.load();
      if (dialect !== undefined) dialects.set(dialect.id, dialect);
    }
  };

  const read = (record: WrittenRecord): TelemetryRecord => {
    if (record.kind !== 'unread') return record;
    const { facts, unread } = record;
    const { provider, listedAs, endedAt } = facts;
    const { request, answer } = unread;
    const dialect = dialects.get(unread.dialect);
    const copied = { provider, listedAs, at: timeOrigin + endedAt, request, answer };
    return completed(facts, dialect === undefined ? undefined : reader.read(dialect, copied));
  };

  return {
    listedModel: (named) => reader.listedModel(named),
    async read(records) {
      await prepare(records);
      return records.map(read);
    },
  };
};
