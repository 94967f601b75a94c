import type { Dialect, UsageRequest } from '../../../plugins/sdk/dialect.ts';
import type { Json, JsonObject } from '../../../schema/json.ts';
import type { LeafCall } from '../leaf-call.ts';
import { askedFor } from './asked-for.ts';
import { effectiveParams } from './param-edits.ts';
import { usageRequest } from './usage-request.ts';

/** A parameter that asks for usage, in a request whose client did not ask. */
export interface AddedRequest extends Pick<UsageRequest, 'param' | 'member'> {
  readonly value: Json;
}

export interface MeteredOwn {
  readonly model?: string;
  readonly request?: AddedRequest;
}

/**
 * What metering needs of a request in the provider's own dialect. Only here is such a body parsed; one that cannot be is
 * sent as it is, and its provider will reject it.
 */
export const meteredOwn = (call: LeafCall, dialect: Dialect, edits: JsonObject | undefined): MeteredOwn => {
  try {
    const { stream, ...asked } = askedFor(call, edits);
    const request = stream ? usageRequest(call, dialect) : undefined;
    const params = request === undefined ? undefined : effectiveParams(call, edits);
    if (request === undefined || params === undefined || request.isMade(params)) return asked;
    const { param, member } = request;
    return { ...asked, request: { param, member, value: request.make(params) } };
  } catch {
    return {};
  }
};
