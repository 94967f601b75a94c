import type { JsonObject } from '../../../../schema/json/json.ts';
import { parseJson, parseObject } from '../../../../schema/json/parse-json.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { objectSchema, seconds, text, textOrNull, titled } from '../../kernel/requests/replies.ts';
import { toSeconds } from '../../kernel/requests/to-seconds.ts';
import type { RecordRow } from '../writer/log-store.ts';
import { shownDetail } from '../writer/retained-detail.ts';
import type { BodyTexts } from '../writer/sealed-bodies.ts';
import type { DetailedRecord, ListedRecord } from './record-store.ts';

/** Converts the problem of a request from its JSON. Records of older versions only have the code of an error. */
const problemView = (problem: string | null | undefined, { cause }: Pick<RecordRow, 'cause'>): JsonObject | null =>
  parseObject(problem ?? '') ?? (cause === null ? null : { cause });

const whole = { type: 'integer' } as const;
const flag = { type: 'boolean' } as const;

const problem: ParameterSchema = {
  anyOf: [
    objectSchema(
      {
        cause: {
          ...text,
          description: 'The code of an error, `upstream-401` for a status of a provider, or `circuit-open`.',
        },
      },
      {
        target: { ...text, description: 'Where it happened.' },
        path: { ...text, description: 'The place of the target in the config.' },
        attempt: { ...whole, description: 'The number of the attempt at the target, from 1.' },
        about: { ...text, description: 'The limit, host, header or config concerned, such as `the limit "Daily"`.' },
        hint: { ...text, description: 'What to do.' },
      },
    ),
    { type: 'null' },
  ],
};

const config = {
  ...textOrNull,
  description:
    'The name of the config; `header` if the request sent a config without a name, and `request` if its headers only named a provider.',
};

const members: { readonly [name: string]: ParameterSchema } = {
  ...{ object: { const: 'log' }, id: text, created_at: seconds, time: text, trace_id: text },
  ...{ workspace_id: text, organisation_id: text, key_id: textOrNull, config, plan: textOrNull },
  ...{ method: text, path: text, operation: text, leaf: textOrNull, target: textOrNull, prompt_slug: textOrNull },
  ...{ provider: textOrNull, slug: textOrNull, requested_model: textOrNull, model: textOrNull },
  ...{ status: whole, cause: textOrNull, end: { enum: ['complete', 'left', 'cut'] }, is_success: flag },
  ...{ ms: { type: 'number' }, attempt_count: whole, retry_count: whole, fell_back: flag, balanced: flag },
  ...{ input_tokens: whole, output_tokens: whole, total_tokens: whole, cost_nano_usd: whole },
  ...{ cache_status: textOrNull, problem, source: { enum: ['gateway', 'sent'] }, metadata: { type: 'object' } },
};

/** A record in a list. */
export const recordSchema: ParameterSchema = titled('LogRecordSummary', objectSchema(members));

const anything: ParameterSchema = {};
const list: ParameterSchema = { type: 'array', items: { type: 'object' } };

/** A record alone. */
export const wholeRecordSchema: ParameterSchema = titled(
  'LogRecord',
  objectSchema(
    { ...members, attempts: list, checks: list, trail: list, feedback: list },
    {
      ...{
        seed: whole,
        once: flag,
        stream: flag,
        empty: flag,
        plan_model: text,
        deadline_ms: whole,
        error: text,
        headers: { type: 'object' },
      },
      request: { type: 'object', properties: { body: anything } },
      response: { type: 'object', properties: { body: anything } },
      url: text,
    },
  ),
);

/** Converts a record to its form in a list. */
export const recordView = (row: ListedRecord): JsonObject => ({
  object: 'log',
  id: row.id,
  created_at: toSeconds(row.created_at),
  time: new Date(row.created_at).toISOString(),
  trace_id: row.trace_id,
  workspace_id: row.workspace_id,
  organisation_id: row.organisation_id,
  key_id: row.key_id,
  config: row.config,
  plan: row.plan,
  method: row.method,
  path: row.path,
  operation: row.operation,
  leaf: row.leaf,
  target: row.target,
  prompt_slug: row.prompt,
  provider: row.provider,
  slug: row.slug,
  requested_model: row.requested_model,
  model: row.model,
  status: row.status,
  cause: row.cause,
  end: row.ending,
  is_success: row.is_success === 1,
  ms: row.micros / 1000,
  attempt_count: row.attempts,
  retry_count: row.retries,
  fell_back: row.fell_back === 1,
  balanced: row.balanced === 1,
  input_tokens: row.input_tokens,
  output_tokens: row.output_tokens,
  total_tokens: row.input_tokens + row.output_tokens,
  cost_nano_usd: row.cost,
  cache_status: row.cache_status,
  problem: problemView(row.problem, row),
  source: row.source,
  metadata: parseObject(row.metadata) ?? {},
});

/** Converts a record with all its members, and its bodies if they are given. */
export const wholeRecordView = (row: DetailedRecord, bodies: BodyTexts = {}): JsonObject => ({
  ...recordView(row),
  attempts: [],
  checks: [],
  trail: [],
  ...shownDetail(parseObject(row.detail ?? '{}')),
  ...(bodies.request === undefined ? {} : { request: { body: parseJson(bodies.request) ?? bodies.request } }),
  ...(bodies.response === undefined ? {} : { response: { body: parseJson(bodies.response) ?? bodies.response } }),
});
