import { lazyDialects } from '../../../dialects/lazy-dialects.ts';
import type { ReadAnswer } from '../../../sdk/answer-reader.ts';
import type { Dialect } from '../../../sdk/dialect.ts';
import { usedTokens } from '../attempt-record.ts';
import { type AttemptRecord, longestValue, type TelemetryRecord, type WrittenRecord } from '../records.ts';
import type { AnswerReaderModule, AnswerReading } from './messages.ts';

/** Gives the records of a batch as they are when all answers have been read; `copies` is what was copied beside them. */
export type ReadCopies = (records: readonly WrittenRecord[], copies: Uint8Array) => Promise<readonly TelemetryRecord[]>;

const completed = (
  [
    kind,
    place,
    isMeasured,
    isCallers,
    operation,
    provider,
    origin,
    ,
    path,
    target,
    attempt,
    startedAt,
    endedAt,
    status,
    error,
    streamFailure,
  ]: AttemptRecord,
  { askedModel, usage, finishReasons }: ReadAnswer,
): AttemptRecord => [
  kind,
  place,
  isMeasured,
  isCallers,
  operation,
  provider,
  origin,
  askedModel?.slice(0, longestValue) ?? null,
  path,
  target,
  attempt,
  startedAt,
  endedAt,
  status,
  error,
  streamFailure,
  usage.model.slice(0, longestValue),
  usedTokens(usage),
  finishReasons.length === 0 ? null : finishReasons,
];

/** The bytes at the end of `copies`, then those before them, and so on. */
const fromEnd = (copies: Uint8Array): ((bytes: number) => Uint8Array) => {
  let end = copies.length;
  return (bytes) => {
    end -= bytes;
    return copies.subarray(end, end + bytes);
  };
};

/** @param timeOrigin milliseconds since the epoch of the zero of the runtime's clock */
export const copiesReader = async ({ module, prices }: AnswerReading, timeOrigin: number): Promise<ReadCopies> => {
  const { createAnswerReader }: AnswerReaderModule = await import(module);
  const reader = createAnswerReader(prices);
  const dialects = new Map<string, Dialect>();

  /** What is needed to read them, which is loaded once. */
  const prepare = async (records: readonly WrittenRecord[]): Promise<void> => {
    for (const record of records) {
      if (record[0] !== 'unread' || dialects.has(record[2])) continue;
      // Without prices, usage is told alone.
      await reader.ready()?.catch(() => {});
      const dialect = await lazyDialects.find(({ id }) => id === record[2])?.load();
      if (dialect !== undefined) dialects.set(dialect.id, dialect);
    }
  };

  const read = (record: WrittenRecord, next: (bytes: number) => Uint8Array): TelemetryRecord => {
    if (record[0] !== 'unread') return record;
    const [, attempt, id, listedAs, requestBytes, answerBytes] = record;
    const [, , , , , provider, , , , , , , endedAt] = attempt;
    const [request, answer] = [next(requestBytes), next(answerBytes)];
    const dialect = dialects.get(id);
    if (dialect === undefined) return attempt;
    return completed(attempt, reader.read(dialect, { provider, listedAs, at: timeOrigin + endedAt, request, answer }));
  };

  return async (records, copies) => {
    await prepare(records);
    const next = fromEnd(copies);
    return records.map((record) => read(record, next));
  };
};
