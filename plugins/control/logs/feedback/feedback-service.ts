import type { JsonObject } from '../../../../schema/json/json.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import { notFound } from '../../kernel/requests/refusals.ts';
import { toSeconds } from '../../kernel/requests/to-seconds.ts';
import { newId } from '../../kernel/store/new-id.ts';
import { storableJson, storableRow } from '../../kernel/store/rows/storable.ts';
import type { LogRow } from '../store/log-columns.ts';
import type { LogParts, LogStore } from '../store/log-store.ts';

type FeedbackRow = LogRow<'log_feedback'>;

/** More feedback on one trace is not shown with its records. */
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

/** Weights are stored as millionths. */
const weightUnits = 1_000_000;

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

/** A judgement of the requests of a trace. */
export interface GivenFeedback {
  readonly trace_id: string;
  /** A whole number from -10 to 10. */
  readonly value: number;
  /** From 0 to 1. */
  readonly weight: number;
  readonly metadata?: JsonObject;
}

interface FeedbackGiver {
  readonly tenant: string;
  readonly key: string | undefined;
}

/** Feedback on the requests of a workspace. All methods reject with a `GatewayError`, or as the store does. */
interface FeedbackService {
  /** Resolves with the ids. */
  give(giver: FeedbackGiver, given: readonly GivenFeedback[]): Promise<readonly string[]>;
  change(tenant: string, id: string, changed: Partial<Omit<GivenFeedback, 'trace_id'>>): Promise<void>;
}

export const createFeedbackService = ({ store, now }: Pick<LogParts, 'store' | 'now'>): FeedbackService => ({
  async give({ tenant, key }, given) {
    const at = now();
    const rows = given.map(({ trace_id, value, weight, metadata = {} }) =>
      storableRow(
        {
          id: newId(at),
          workspace_id: tenant,
          trace_id,
          value,
          weight: Math.round(weight * weightUnits),
          metadata: JSON.stringify(metadata),
          key_id: key ?? null,
          created_at: at,
          updated_at: at,
        },
        ['metadata'],
      ),
    );
    await store().write((writing) => writing.insertInto('log_feedback').values(rows).execute());
    return rows.map(({ id }) => id);
  },

  async change(tenant, id, { value, weight, metadata }) {
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
  },
});
