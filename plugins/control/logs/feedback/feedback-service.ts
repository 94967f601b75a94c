import type { JsonObject } from '../../../../schema/json/json.ts';
import { notFound } from '../../kernel/requests/refusals.ts';
import { newId } from '../../kernel/store/new-id.ts';
import { storableJson, storableRow } from '../../kernel/store/rows/storable.ts';
import type { LogParts } from '../store/log-parts.ts';
import { changeFeedback, type FeedbackRow, insertFeedback } from './feedback-store.ts';
import { weightUnits } from './feedback-view.ts';

/** What somebody thinks of the requests of a trace. */
export interface GivenFeedback {
  readonly trace_id: string;
  /** A whole number from -10 to 10. */
  readonly value: number;
  /** From 0 to 1. */
  readonly weight: number;
  readonly metadata?: JsonObject;
}

export interface FeedbackGiver {
  readonly tenant: string;
  readonly key: string | undefined;
}

/** Feedback on the requests of a workspace. All methods reject with a `GatewayError`, or as the store does. */
export interface FeedbackService {
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
