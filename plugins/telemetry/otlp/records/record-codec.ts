import { fromJson } from '../../../../schema/json/from-json.ts';
import type { RecordReader } from '../../../sdk/binary/record-reader.ts';
import type { RecordWriter } from '../../../sdk/binary/record-writer.ts';
import type { Operation } from '../../../sdk/exchange/exchange.ts';
import type {
  AttemptFacts,
  AttemptRecord,
  OverheadRecord,
  RequestRecord,
  SpanPlace,
  UnreadRecord,
  UsedTokens,
  WrittenRecord,
} from './records.ts';

const kinds = { attempt: 0, unread: 1, request: 2, overhead: 3 } as const;

const writePlace = (to: RecordWriter, { traceId, spanId, parentId, state }: SpanPlace): void => {
  to.text(traceId);
  to.text(spanId);
  to.text(parentId);
  to.text(state);
};

const readPlace = (from: RecordReader): SpanPlace => ({
  traceId: from.text(),
  spanId: from.text(),
  parentId: from.textOrNull(),
  state: from.textOrNull(),
});

/** Writes whether a value follows. */
const writePresence = (to: RecordWriter, value: unknown): RecordWriter => to.small(value === null ? 0 : 1);

const readFlag = (from: RecordReader): boolean => from.small() === 1;

const writeUsed = (to: RecordWriter, used: UsedTokens): void => {
  to.number(used.input);
  to.number(used.output);
  to.number(used.cacheRead);
  to.number(used.cacheWritten);
  to.number(used.reasoning);
  to.number(used.nanoUsd);
};

const readUsed = (from: RecordReader): UsedTokens => ({
  input: from.numberOrNull(),
  output: from.numberOrNull(),
  cacheRead: from.numberOrNull(),
  cacheWritten: from.numberOrNull(),
  reasoning: from.numberOrNull(),
  nanoUsd: from.numberOrNull(),
});

const writeFacts = (to: RecordWriter, facts: AttemptFacts): void => {
  const { place } = facts;
  writePresence(to, place);
  if (place !== null) writePlace(to, place);
  to.small(facts.isMeasured ? 1 : 0);
  to.small(facts.isCallers ? 1 : 0);
  to.name(facts.operation);
  to.name(facts.provider);
  to.name(facts.listedAs);
  to.name(facts.origin);
  to.name(facts.path);
  to.name(facts.target);
  to.number(facts.attempt);
  to.number(facts.startedAt);
  to.number(facts.endedAt);
  to.number(facts.status);
  to.name(facts.error);
};

const readFacts = (from: RecordReader): AttemptFacts => ({
  place: readFlag(from) ? readPlace(from) : null,
  isMeasured: readFlag(from),
  isCallers: readFlag(from),
  operation: from.text() as Operation,
  provider: from.text(),
  listedAs: from.text(),
  origin: from.text(),
  path: from.text(),
  target: from.text(),
  attempt: from.number(),
  startedAt: from.number(),
  endedAt: from.number(),
  status: from.numberOrNull(),
  error: from.textOrNull(),
});

const writeAttempt = (to: RecordWriter, record: AttemptRecord): void => {
  const { usage, finishReasons } = record;
  writeFacts(to, record);
  to.name(record.askedModel);
  to.name(record.streamFailure);
  to.name(record.model);
  writePresence(to, usage);
  if (usage !== null) writeUsed(to, usage);
  to.name(finishReasons && JSON.stringify(finishReasons));
};

const readAttempt = (from: RecordReader): AttemptRecord => ({
  kind: 'attempt',
  ...readFacts(from),
  askedModel: from.textOrNull(),
  streamFailure: from.textOrNull(),
  model: from.text(),
  usage: readFlag(from) ? readUsed(from) : null,
  finishReasons: fromJson(from.textOrNull() ?? 'null'),
});

const writeUnread = (to: RecordWriter, { facts, unread }: UnreadRecord): void => {
  writeFacts(to, facts);
  to.name(unread.dialect);
  to.bytes(unread.request);
  to.bytes(unread.answer);
};

const readUnread = (from: RecordReader): UnreadRecord => ({
  kind: 'unread',
  facts: readFacts(from),
  unread: { dialect: from.text(), request: from.bytes(), answer: from.bytes() },
});

const writeRequest = (to: RecordWriter, record: RequestRecord): void => {
  const { place, gatewayTraceId, events } = record;
  writePlace(to, place);
  to.text(record.spanName);
  to.name(record.method);
  to.name(record.scheme);
  to.name(record.path);
  to.name(record.endpoint);
  to.text(gatewayTraceId === place.traceId ? null : gatewayTraceId);
  to.number(record.startedAt);
  to.number(record.endedAt);
  to.number(record.status);
  to.name(record.cause);
  to.name(record.plan);
  to.name(record.cacheStatus);
  to.number(record.cacheSimilarity);
  to.text(events.length === 0 ? null : JSON.stringify(events));
};

const readRequest = (from: RecordReader): RequestRecord => {
  const place = readPlace(from);
  return {
    kind: 'request',
    place,
    spanName: from.textOrNull(),
    method: from.text(),
    scheme: from.text() as RequestRecord['scheme'],
    path: from.text(),
    endpoint: from.text(),
    gatewayTraceId: from.textOrNull() ?? place.traceId,
    startedAt: from.number(),
    endedAt: from.number(),
    status: from.number(),
    cause: from.textOrNull(),
    plan: from.textOrNull(),
    cacheStatus: from.textOrNull(),
    cacheSimilarity: from.numberOrNull(),
    events: fromJson(from.textOrNull() ?? '[]'),
  };
};

const writeOverhead = (to: RecordWriter, { plan, endpoint, ms }: OverheadRecord): void => {
  to.name(plan);
  to.name(endpoint);
  to.number(ms);
};

const readOverhead = (from: RecordReader): OverheadRecord => ({
  kind: 'overhead',
  plan: from.text(),
  endpoint: from.text(),
  ms: from.number(),
});

export const writeRecord = (to: RecordWriter, record: WrittenRecord): void => {
  if (record.kind === 'request') {
    to.small(kinds.request);
    writeRequest(to, record);
  } else if (record.kind === 'overhead') {
    to.small(kinds.overhead);
    writeOverhead(to, record);
  } else if (record.kind === 'unread') {
    to.small(kinds.unread);
    writeUnread(to, record);
  } else {
    to.small(kinds.attempt);
    writeAttempt(to, record);
  }
};

const readRecord = (from: RecordReader): WrittenRecord => {
  const kind = from.small();
  if (kind === kinds.request) return readRequest(from);
  if (kind === kinds.unread) return readUnread(from);
  if (kind === kinds.attempt) return readAttempt(from);
  if (kind === kinds.overhead) return readOverhead(from);
  throw new RangeError(`No record is of the kind ${kind}.`);
};

/** Reads the records of a batch. Batches must be read in order. Bytes in the records share the memory of the batch. */
export const readRecords = (from: RecordReader, batch: Buffer): readonly WrittenRecord[] => {
  from.begin(batch);
  const records: WrittenRecord[] = [];
  while (!from.isAtEnd) records.push(readRecord(from));
  return records;
};
