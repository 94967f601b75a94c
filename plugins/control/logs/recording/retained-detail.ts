import type { JsonObject } from '../../../../schema/json/json.ts';
import type { NotedRequest } from './noted-request.ts';
import { recordedAttempts } from './recorded-attempts.ts';
import { type EventValues, eventOfValues } from './trail-values.ts';

/** What a record says beside its columns, as it is kept: its attempts are in its trail, whose events have no names of members. */
export interface RetainedDetail extends Pick<NotedRequest, 'targets' | 'checks'> {
  readonly seed: number;
  readonly metadata: JsonObject;
  readonly once?: true;
  readonly stream?: true;
  readonly empty?: true;
  readonly problem?: JsonObject;
  readonly headers?: JsonObject;
  readonly error?: string;
  readonly trail: readonly EventValues[];
}

const isKept = (detail: JsonObject | RetainedDetail): detail is RetainedDetail => 'targets' in detail;

/**
 * The same as it is shown. Records of gateways before the one of now, and those that were sent in, are kept as they are
 * shown.
 */
export const shownDetail = (detail: JsonObject | undefined): JsonObject => {
  if (detail === undefined || !isKept(detail)) return detail ?? {};
  const { targets, trail: values, ...shown } = detail;
  const trail = values.map(eventOfValues);
  // Events of the trail are plain objects.
  return { ...shown, attempts: recordedAttempts(trail, targets), trail: trail as unknown as readonly JsonObject[] };
};
