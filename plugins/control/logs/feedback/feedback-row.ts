import type { JsonObject } from '../../../../schema/json/json.ts';
import { newId } from '../../kernel/store/new-id.ts';
import { storableRow } from '../../kernel/store/rows/storable.ts';
import type { LogRow } from '../writer/log-store.ts';

export type FeedbackRow = LogRow<'log_feedback'>;

/** Feedback on the requests of a trace. */
export interface GivenFeedback {
  readonly trace_id: string;
  /** An integer in the range of `feedbackValues`. */
  readonly value: number;
  /** In the range of `feedbackWeights`; 1 if absent. */
  readonly weight?: number;
  readonly metadata?: JsonObject;
}

/** The minimum and maximum value of feedback. */
export const feedbackValues = { min: -10, max: 10 } as const;
/** The minimum and maximum weight of feedback. */
export const feedbackWeights = { min: 0, max: 1 } as const;

/** Weights are stored as millionths. */
export const weightUnits = 1_000_000;

/** The source of feedback, and its time. */
export interface FeedbackGiver {
  readonly tenant: string;
  readonly key: string | undefined;
  readonly at: number;
}

/** Creates the row of new feedback. */
export const feedbackRow = (
  { tenant, key, at }: FeedbackGiver,
  { trace_id, value, weight = feedbackWeights.max, metadata = {} }: GivenFeedback,
): FeedbackRow =>
  storableRow<FeedbackRow>(
    {
      ...{ id: newId(at), workspace_id: tenant, trace_id, value, key_id: key ?? null, created_at: at, updated_at: at },
      weight: Math.round(weight * weightUnits),
      metadata: JSON.stringify(metadata),
    },
    ['metadata'],
  );
