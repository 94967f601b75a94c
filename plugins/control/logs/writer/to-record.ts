import { type JsonObject, writtenText } from '../../../../schema/json/json.ts';
import { storableRow, storedText } from '../../kernel/store/rows/storable.ts';
import type { NotedRequest } from '../encoding/noted-request.ts';
import type { RecordDetail, RecordRow } from './log-store.ts';
import { eventValues, type RetainedDetail } from './retained-detail.ts';
import { timeOfId } from './stored-id.ts';
import { sumTrail } from './sum-trail.ts';

const longestName = 128;
const longestValue = 256;
const maxLabels = 64;

/** Converts the labels of a request to texts that can be searched for. Names and values are truncated if they are too long. */
export const readLabels = (metadata: JsonObject): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries(metadata)
      .slice(0, maxLabels)
      .map(([name, value]) => [
        storedText(name.slice(0, longestName)),
        storedText(writtenText(value).slice(0, longestValue)),
      ]),
  );

/** The rows of one record, except those that are derived from others. */
export interface NewRecord {
  readonly record: RecordRow;
  readonly detail: RecordDetail;
}

/** Checks whether both databases can store a value unchanged. */
const isPlain = (value: string | number | null): boolean =>
  typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'));

/** Converts the rows of a record so that both databases can store their texts. Bodies are sealed. */
export const storableRecord = (rows: NewRecord): NewRecord => {
  const { record, detail } = rows;
  // Most records need no change, which is quick to find out. In JSON, characters that databases cannot store are escapes.
  const hasEscapes = record.metadata.includes('\\u') || detail.detail.includes('\\u');
  if (!hasEscapes && isPlain(detail.detail) && Object.values(record).every(isPlain)) return rows;
  return { record: storableRow(record, ['metadata']), detail: storableRow({ ...detail }, ['detail']) };
};

/** The JSON of no labels. */
export const noLabels = '{}';

const endings = { complete: 'complete', failed: 'cut', left: 'left' } as const;

/** The size of a record without its detail and its bodies: its columns, in the table and in the indexes. */
const columnBytes = 200;

/** Returns the size of a record without its detail. */
export const recordBytes = (bodies: RecordDetail['bodies']): number => columnBytes + (bodies?.length ?? 0);

/** Members without a value are undefined, which is cheaper than omitting them. They are not in the JSON. */
type DetailMembers = {
  [Name in keyof RetainedDetail]: Name extends 'problem' ? object | undefined : RetainedDetail[Name] | undefined;
};

/** Collects the members of a record that are not columns, as they are stored. The record can be replayed from them. */
const toDetail = (request: NotedRequest): DetailMembers => {
  const { line, problem, headers, error, checks, targets } = request;
  const { seed, once, stream, empty, planModel, deadlineMs, trail } = line;
  return {
    seed,
    metadata: line.metadata ?? {},
    once,
    stream,
    empty,
    plan_model: planModel,
    deadline_ms: deadlineMs,
    error,
    problem,
    headers,
    targets,
    checks,
    trail: trail.map(eventValues),
  };
};

const isEmpty = (metadata: JsonObject): boolean => {
  for (const _name in metadata) return false;
  return true;
};

/** Most requests have no labels. */
const toLabelsJson = (metadata: JsonObject = {}): string =>
  isEmpty(metadata) ? noLabels : JSON.stringify(readLabels(metadata));

interface RecordOptions {
  /** The sealed bodies as JSON. */
  readonly bodies?: string | undefined;
  /** Whether both databases are known to store all texts of the request unchanged. */
  readonly isStorable?: boolean;
}

/** Creates the rows of a request that has ended. */
export const toRecord = (
  request: NotedRequest,
  { bodies: sealed, isStorable = false }: RecordOptions = {},
): NewRecord => {
  const { id, line, organisation, workspace, operation, config, leaf, balanced, prompt, requestedModel } = request;
  const bodies = sealed ?? null;
  const used = sumTrail(line.trail);
  const { lastAttempt } = used;
  // That of the last call, or of the cache that answered.
  const called = lastAttempt ?? leaf;
  const target = called === undefined ? undefined : request.targets[called.path];
  const head = lastAttempt?.ms?.head;
  const space = line.route.indexOf(' ');
  const ending = endings[line.end];
  const rows: NewRecord = {
    record: {
      workspace_id: workspace,
      id,
      organisation_id: organisation,
      created_at: timeOfId(id),
      trace_id: line.trace,
      key_id: line.key ?? null,
      config: config ?? null,
      plan: line.plan,
      method: line.route.slice(0, space),
      path: line.route.slice(space + 1),
      operation,
      leaf: leaf?.path ?? null,
      prompt: prompt ?? null,
      target: target?.id ?? null,
      provider: leaf?.provider ?? target?.provider ?? null,
      slug: target?.slug ?? null,
      requested_model: requestedModel ?? null,
      model: used.model ?? target?.model ?? requestedModel ?? null,
      status: line.status,
      cause: line.cause ?? null,
      ending,
      is_success: line.status < 400 && ending === 'complete' ? 1 : 0,
      micros: Math.round(line.ms * 1000),
      attempts: used.attempts,
      retries: used.retries,
      fell_back: used.fellBack,
      balanced: balanced ? 1 : 0,
      input_tokens: used.input,
      output_tokens: used.output,
      cost: used.cost,
      cache_status: leaf?.cache ?? null,
      source: 'gateway',
      has_problem: request.problem === undefined ? 0 : 1,
      metadata: toLabelsJson(line.metadata),
      bytes: recordBytes(bodies),
      first_micros: head === undefined ? null : Math.round(head * 1000),
      cached_tokens: Math.min(used.cached, used.input),
    },
    detail: { detail: JSON.stringify(toDetail(request)), bodies },
  };
  return isStorable ? rows : storableRecord(rows);
};
