import type { JsonObject } from '../../../../schema/json/json.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import { toSeconds } from '../../kernel/requests/to-seconds.ts';
import type { FeedbackRow } from './feedback-store.ts';

/** Weights are kept as millionths. */
export const weightUnits = 1_000_000;

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
