import type { Operation } from '../../sdk/exchange.ts';
import type { RecordReader } from './record-reader.ts';
import type { RecordWriter } from './record-writer.ts';
import type {
  AttemptRecord,
  EventRecord,
  RequestRecord,
  SpanPlace,
  UnreadRecord,
  UsedTokens,
  WrittenRecord,
} from './records.ts';

const kinds = { attempt: 0, unread: 1, request: 2 } as const;

const writePlace = (to: RecordWriter, [traceId, spanId, parentId, state]: SpanPlace): void => {
  to.text(traceId);
  to.text(spanId);
  to.text(parentId);
  to.text(state);
};

const readPlace = (from: RecordReader): SpanPlace => [from.text(), from.text(), from.textOrNull(), from.textOrNull()];

/** Whether what follows is there. */
const writeIsThere = (to: RecordWriter, value: unknown): void => to.small(value === null ? 0 : 1);

const readFlag = (from: RecordReader): boolean => from.small() === 1;

const writeUsed = (to: RecordWriter, used: UsedTokens): void => {
  for (const amount of used) to.number(amount);
};

const readUsed = (from: RecordReader): UsedTokens => [
  from.number(),
  from.number(),
  from.numberOrNull(),
  from.numberOrNull(),
  from.numberOrNull(),
  from.numberOrNull(),
];

const writeAttempt = (to: RecordWriter, record: AttemptRecord): void => {
  const [, place, isMeasured, isCallers, operation, provider, origin, askedModel, path, target, attempt] = record;
  const [, , , , , , , , , , , startedAt, endedAt, status, error, failure, model, usage, finishReasons] = record;
  writeIsThere(to, place);
  if (place !== null) writePlace(to, place);
  to.small(isMeasured ? 1 : 0);
  to.small(isCallers ? 1 : 0);
  to.name(operation);
  to.name(provider);
  to.name(origin);
  to.name(askedModel);
  to.name(path);
  to.name(target);
  to.number(attempt);
  to.number(startedAt);
  to.number(endedAt);
  to.number(status);
  to.name(error);
  to.name(failure);
  to.name(model);
  writeIsThere(to, usage);
  if (usage !== null) writeUsed(to, usage);
  to.name(finishReasons && JSON.stringify(finishReasons));
};

const readAttempt = (from: RecordReader): AttemptRecord => [
  'attempt',
  readFlag(from) ? readPlace(from) : null,
  readFlag(from),
  readFlag(from),
  from.text() as Operation,
  from.text(),
  from.text(),
  from.textOrNull(),
  from.text(),
  from.text(),
  from.number(),
  from.number(),
  from.number(),
  from.numberOrNull(),
  from.textOrNull(),
  from.textOrNull(),
  from.text(),
  readFlag(from) ? readUsed(from) : null,
  JSON.parse(from.textOrNull() ?? 'null'),
];

const writeUnread = (
  to: RecordWriter,
  [, attempt, dialect, listedAs, requestBytes, answerBytes]: UnreadRecord,
): void => {
  writeAttempt(to, attempt);
  to.name(dialect);
  to.name(listedAs);
  to.number(requestBytes);
  to.number(answerBytes);
};

const readUnread = (from: RecordReader): UnreadRecord => [
  'unread',
  readAttempt(from),
  from.text(),
  from.text(),
  from.number(),
  from.number(),
];

const writeRequest = (to: RecordWriter, record: RequestRecord): void => {
  const [, place, method, path, endpoint, traceId, startedAt, endedAt, status, cause, plan, cacheStatus, events] =
    record;
  writePlace(to, place);
  to.name(method);
  to.text(path);
  to.name(endpoint);
  to.text(traceId);
  to.number(startedAt);
  to.number(endedAt);
  to.number(status);
  to.name(cause);
  to.name(plan);
  to.name(cacheStatus);
  to.text(events.length === 0 ? null : JSON.stringify(events));
};

const readEvents = (from: RecordReader): readonly EventRecord[] => JSON.parse(from.textOrNull() ?? '[]');

const readRequest = (from: RecordReader): RequestRecord => [
  'request',
  readPlace(from),
  from.text(),
  from.text(),
  from.text(),
  from.text(),
  from.number(),
  from.number(),
  from.number(),
  from.textOrNull(),
  from.textOrNull(),
  from.textOrNull(),
  readEvents(from),
];

export const writeRecord = (to: RecordWriter, record: WrittenRecord): void => {
  to.small(kinds[record[0]]);
  if (record[0] === 'request') writeRequest(to, record);
  else if (record[0] === 'unread') writeUnread(to, record);
  else writeAttempt(to, record);
};

const readRecord = (from: RecordReader): WrittenRecord => {
  const kind = from.small();
  if (kind === kinds.request) return readRequest(from);
  if (kind === kinds.unread) return readUnread(from);
  if (kind === kinds.attempt) return readAttempt(from);
  throw new RangeError(`No record is of the kind ${kind}.`);
};

/** Reads the records of a batch, which must come after those of the batch before. */
export const readRecords = (from: RecordReader, batch: Buffer): readonly WrittenRecord[] => {
  from.begin(batch);
  const records: WrittenRecord[] = [];
  while (!from.isAtEnd) records.push(readRecord(from));
  return records;
};
