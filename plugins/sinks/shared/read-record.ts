import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { toObjects } from '../../../schema/json/loose.ts';
import type { SinkRecord } from '../../sdk/sink/sink.ts';

/** The members of a record for which receivers have their own fields. */
export interface ReadRecord {
  /** The complete record. */
  readonly whole: JsonObject;
  readonly trace: string;
  readonly status: number;
  readonly model: string | undefined;
  readonly operation: string;
  /** The config or, if there is none, the operation. */
  readonly title: string;
  readonly labels: JsonObject;
  /** `error`: the gateway or a provider failed. `warning`: the request was at fault, or its client disconnected. */
  readonly outcome: 'success' | 'warning' | 'error';
  /** Why it was not a success, as far as that is known. */
  readonly cause: string | undefined;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly requestBody: Json | undefined;
  readonly responseBody: Json | undefined;
  readonly attempts: readonly JsonObject[];
  /** Whether it is the record of a mirrored copy. */
  readonly isCopy: boolean;
}

const asText = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined);
const asNumber = (value: Json | undefined): number => (typeof value === 'number' ? value : 0);
const asObject = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

const outcomeOf = ({ is_success: isSuccess, status, end }: JsonObject): ReadRecord['outcome'] => {
  if (isSuccess === true) return 'success';
  return asNumber(status) >= 500 || end === 'cut' ? 'error' : 'warning';
};

const causeOf = ({ problem, cause, error, end }: JsonObject): string | undefined => {
  const found = asText(asObject(problem).cause) ?? asText(cause) ?? (end === 'complete' ? undefined : asText(end));
  const said = asText(error);
  return said === undefined ? found : `${found ?? 'error'}: ${said}`;
};

export const readRecord = (record: Pick<SinkRecord, 'createdAt' | 'read'>): ReadRecord => {
  const whole = record.read();
  const labels = asObject(whole.metadata);
  const operation = asText(whole.operation) ?? 'request';
  return {
    whole,
    trace: asText(whole.trace_id) ?? '',
    status: asNumber(whole.status),
    model: asText(whole.model),
    operation,
    title: asText(whole.config) ?? operation,
    labels,
    outcome: outcomeOf(whole),
    cause: whole.is_success === true ? undefined : causeOf(whole),
    startedAt: record.createdAt - asNumber(whole.ms),
    endedAt: record.createdAt,
    requestBody: asObject(whole.request).body,
    responseBody: asObject(whole.response).body,
    attempts: toObjects(whole.attempts),
    isCopy: labels._mirror !== undefined,
  };
};
