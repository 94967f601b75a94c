import type { JsonObject } from '../../../../schema/json/json.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { notFound, rejectNulCharacters } from '../../kernel/requests/refusals.ts';
import { objectSchema, ok, text, titled } from '../../kernel/requests/replies.ts';
import { resolveWorkspace } from '../../kernel/requests/request-scope.ts';
import { toSeconds } from '../../kernel/requests/to-seconds.ts';
import { storableJson } from '../../kernel/store/rows/storable.ts';
import type { LogParts, LogStore } from '../writer/log-store.ts';
import {
  type FeedbackRow,
  feedbackRow,
  feedbackValues,
  feedbackWeights,
  type GivenFeedback,
  weightUnits,
} from './feedback-row.ts';

/** The maximum number of feedback entries of a trace that are shown with its records. */
const maxListed = 100;

/** Lists the feedback on a trace of a workspace, the newest first. */
export const listFeedback = (
  { db }: Pick<LogStore, 'db'>,
  tenant: string,
  trace: string,
): Promise<readonly FeedbackRow[]> =>
  db
    .selectFrom('log_feedback')
    .selectAll()
    .where('workspace_id', '=', tenant)
    .where('trace_id', '=', trace)
    .orderBy('id', 'desc')
    .limit(maxListed)
    .execute();

/** Shows feedback. */
export const feedbackView = (row: FeedbackRow): JsonObject => ({
  object: 'feedback',
  id: row.id,
  trace_id: row.trace_id,
  value: row.value,
  weight: row.weight / weightUnits,
  metadata: parseObject(row.metadata) ?? {},
  created_at: toSeconds(row.created_at),
  last_updated_at: toSeconds(row.updated_at),
});

/** Stores feedback on requests of a workspace, and resolves to the ids. Rejects like the store. */
export const giveFeedback = async (
  { store, now }: Pick<LogParts, 'store' | 'now'>,
  { tenant, key }: { readonly tenant: string; readonly key: string | undefined },
  given: readonly GivenFeedback[],
): Promise<readonly string[]> => {
  const at = now();
  const rows = given.map((each) => feedbackRow({ tenant, key, at }, each));
  await store().write((writing) => writing.insertInto('log_feedback').values(rows).execute());
  return rows.map(({ id }) => id);
};

/** Changes feedback. Rejects with the `GatewayError` `not-found`, or like the store. */
export const changeFeedback = async (
  { store, now }: Pick<LogParts, 'store' | 'now'>,
  { tenant, id }: { readonly tenant: string; readonly id: string },
  { value, weight, metadata }: Partial<Omit<GivenFeedback, 'trace_id'>>,
): Promise<void> => {
  const changed = {
    ...(value === undefined ? {} : { value }),
    ...(weight === undefined ? {} : { weight: Math.round(weight * weightUnits) }),
    ...(metadata === undefined ? {} : { metadata: storableJson(JSON.stringify(metadata)) }),
    updated_at: now(),
  };
  const { numUpdatedRows } = await store().write((writing) =>
    writing
      .updateTable('log_feedback')
      .set(changed)
      .where('workspace_id', '=', tenant)
      .where('id', '=', id)
      .executeTakeFirst(),
  );
  if (numUpdatedRows === 0n) throw notFound('feedback', id, 'GET /v1/logs');
};

const value = {
  type: 'integer',
  minimum: feedbackValues.min,
  maximum: feedbackValues.max,
  description: 'The rating of the answer, from -10 to 10.',
} as const;
const weight = {
  type: 'number',
  minimum: feedbackWeights.min,
  maximum: feedbackWeights.max,
  description: 'The weight of the value; 1 if absent.',
} as const;
const metadata = { type: 'object', maxProperties: 64 } as const;

const givenSchema = {
  type: 'object',
  required: ['trace_id', 'value'],
  properties: {
    trace_id: { type: 'string', minLength: 1, maxLength: 255 },
    value,
    weight,
    metadata,
  },
} as const;

const givenBody: ParameterSchema = {
  anyOf: [givenSchema, { type: 'array', items: givenSchema, minItems: 1, maxItems: 100 }],
};

const savedSchema: ParameterSchema = titled(
  'SavedFeedback',
  objectSchema({
    status: { const: 'success' },
    message: text,
    feedback_ids: { type: 'array', items: text },
  }),
);

const saved = (ids: readonly string[]) =>
  ok({ status: 'success', message: 'The feedback was saved.', feedback_ids: ids });

/** The routes of feedback. Callers that may send requests may give feedback on their answers. */
export const feedbackRoutes = (parts: LogParts): readonly ControlRoute[] => [
  defineRoute({
    method: 'POST',
    path: '/feedback',
    operationId: 'create_feedback',
    summary: 'Gives feedback on the answers of a trace: one entry, or a list of up to 100.',
    scope: 'completions.write',
    idempotent: true,
    body: givenBody,
    replies: { 200: savedSchema },
    handle: async ({ body }, context) => {
      rejectNulCharacters([body].flat());
      const { tenant } = resolveWorkspace(context, 'completions.write');
      // The schema has validated this, but does not fill in the defaults of alternatives.
      const given = [body].flat() as unknown as readonly GivenFeedback[];
      return saved(await giveFeedback(parts, { tenant, key: context.principal.keyId }, given));
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/feedback/{id}',
    operationId: 'update_feedback',
    summary: 'Updates feedback; omitted members stay unchanged.',
    scope: 'completions.write',
    body: { type: 'object', properties: { value, weight, metadata } },
    replies: { 200: savedSchema },
    handle: async ({ params, body }, context) => {
      rejectNulCharacters(body);
      const { tenant } = resolveWorkspace(context, 'completions.write');
      const id = params.id.toLowerCase();
      await changeFeedback(parts, { tenant, id }, body);
      return saved([id]);
    },
  }),
];
