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

/** The feedback on a trace of a workspace, the newest first. */
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

const insertFeedback = ({ write }: Pick<LogStore, 'write'>, rows: readonly FeedbackRow[]): Promise<void> =>
  write(async (writing) => {
    await writing
      .insertInto('log_feedback')
      .values([...rows])
      .execute();
  });

/** Changes the feedback of a workspace with an id, and resolves with it as it is then; undefined if there is none. */
const changeFeedback = (
  { write }: Pick<LogStore, 'write'>,
  { tenant, id }: { readonly tenant: string; readonly id: string },
  changed: Partial<Pick<FeedbackRow, 'value' | 'weight' | 'metadata'>> & Pick<FeedbackRow, 'updated_at'>,
): Promise<FeedbackRow | undefined> =>
  write(async (writing) => {
    await writing
      .updateTable('log_feedback')
      .set(changed)
      .where('workspace_id', '=', tenant)
      .where('id', '=', id)
      .execute();
    return writing
      .selectFrom('log_feedback')
      .selectAll()
      .where('workspace_id', '=', tenant)
      .where('id', '=', id)
      .executeTakeFirst();
  });

/** Weights are kept as millionths. */
const weightUnits = 1_000_000;

/** Feedback as it is shown. */
export const feedbackView = ({
  id,
  trace_id,
  value,
  weight,
  metadata,
  created_at,
  updated_at,
}: FeedbackRow): JsonObject => ({
  object: 'feedback',
  id,
  trace_id,
  value,
  weight: weight / weightUnits,
  metadata: parseObject(metadata) ?? {},
  created_at: toSeconds(created_at),
  last_updated_at: toSeconds(updated_at),
});

/** What somebody thinks of the requests of a trace. */
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
  change(tenant: string, id: string, changed: Partial<Omit<GivenFeedback, 'trace_id'>>): Promise<FeedbackRow>;
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
    await insertFeedback(store(), rows);
    return rows.map(({ id }) => id);
  },

  async change(tenant, id, { value, weight, metadata }) {
    const row = await changeFeedback(
      store(),
      { tenant, id },
      {
        ...(value === undefined ? {} : { value }),
        ...(weight === undefined ? {} : { weight: Math.round(weight * weightUnits) }),
        ...(metadata === undefined ? {} : { metadata: storableJson(JSON.stringify(metadata)) }),
        updated_at: now(),
      },
    );
    if (row === undefined) throw notFound('feedback', id, 'GET /v1/logs');
    return row;
  },
});
