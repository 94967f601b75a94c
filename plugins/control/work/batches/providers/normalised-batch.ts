import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { findNumber, findObject, findText, toObjects } from '../../../../../schema/json/loose.ts';
import { wireSeconds } from '../../accounts/answers/read-values.ts';
import { readPresent } from './read-present.ts';

const times = [
  ...['in_progress_at', 'finalizing_at', 'completed_at', 'failed_at', 'expires_at', 'expired_at'],
  ...['cancelling_at', 'cancelled_at'],
];

const readErrors = (errors: Json | undefined): JsonObject => {
  const data = toObjects(findObject(errors)?.data);
  return data.length === 0 ? {} : { errors: { object: 'list', data: data.map((each) => ({ ...noPlace, ...each })) } };
};

const noPlace = { param: null, line: null };

const readCounts = (counts: Json | undefined): JsonObject => {
  const { total, completed, failed } = findObject(counts) ?? {};
  return { total: findNumber(total) ?? 0, completed: findNumber(completed) ?? 0, failed: findNumber(failed) ?? 0 };
};

/** A batch of OpenAI or Azure as the specification has it: what is not known is absent; what it has beside that is kept. */
export const normalisedBatch = (batch: JsonObject): JsonObject => {
  const { errors, request_counts: counts, metadata, ...rest } = batch;
  return {
    ...readPresent(rest),
    object: 'batch',
    created_at: wireSeconds(batch.created_at) ?? 0,
    ...Object.fromEntries(
      times.flatMap((name) => {
        const at = wireSeconds(batch[name]);
        return at === undefined ? [] : [[name, at]];
      }),
    ),
    status: findText(batch.status) === 'canceled' ? 'cancelled' : (batch.status ?? 'in_progress'),
    ...readErrors(errors),
    request_counts: readCounts(counts),
    ...(findObject(metadata) === undefined ? {} : { metadata: findObject(metadata) ?? {} }),
    executor: 'native',
  };
};
