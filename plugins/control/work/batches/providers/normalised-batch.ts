import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { numberOf, objectOf, objectsOf, textOf } from '../../../../../schema/json/loose.ts';
import { wireSeconds } from '../../accounts/answers/wire-seconds.ts';
import { presentOf } from './present-of.ts';

const times = [
  ...['in_progress_at', 'finalizing_at', 'completed_at', 'failed_at', 'expires_at', 'expired_at'],
  ...['cancelling_at', 'cancelled_at'],
];

const errorsOf = (errors: Json | undefined): JsonObject => {
  const data = objectsOf(objectOf(errors)?.data);
  return data.length === 0 ? {} : { errors: { object: 'list', data: data.map((each) => ({ ...noPlace, ...each })) } };
};

const noPlace = { param: null, line: null };

const countsOf = (counts: Json | undefined): JsonObject => {
  const { total, completed, failed } = objectOf(counts) ?? {};
  return { total: numberOf(total) ?? 0, completed: numberOf(completed) ?? 0, failed: numberOf(failed) ?? 0 };
};

/** A batch of OpenAI or Azure as the specification has it: what is not known is absent; what it has beside that is kept. */
export const normalisedBatch = (batch: JsonObject): JsonObject => {
  const { errors, request_counts: counts, metadata, ...rest } = batch;
  return {
    ...presentOf(rest),
    object: 'batch',
    created_at: wireSeconds(batch.created_at) ?? 0,
    ...Object.fromEntries(
      times.flatMap((name) => {
        const at = wireSeconds(batch[name]);
        return at === undefined ? [] : [[name, at]];
      }),
    ),
    status: textOf(batch.status) === 'canceled' ? 'cancelled' : (batch.status ?? 'in_progress'),
    ...errorsOf(errors),
    request_counts: countsOf(counts),
    ...(objectOf(metadata) === undefined ? {} : { metadata: objectOf(metadata) ?? {} }),
    executor: 'native',
  };
};
