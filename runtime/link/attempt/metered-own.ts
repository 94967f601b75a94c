import type { Dialect, UsageRequest } from '../../../plugins/sdk/dialect.ts';
import type { Json, JsonObject } from '../../../schema/json.ts';
import type { LeafCall } from '../leaf-call.ts';
import { askedFor } from './asked-for.ts';
import { mostOutputOf } from './most-output.ts';
import { effectiveParams } from './param-edits.ts';
import { usageRequest } from './usage-request.ts';

/** A parameter that asks for usage, in a request whose client did not ask. */
export interface AddedRequest extends Pick<UsageRequest, 'param' | 'member'> {
  readonly value: Json;
}

export interface MeteredOwn {
  readonly model?: string;
  readonly mostOutput?: number;
  readonly request?: AddedRequest;
}

/**
 * What metering needs of a request in the provider's own dialect. Only here is such a body parsed; one that cannot be is
 * sent as it is, and its provider will reject it. Where limits hold, it is refused: another reader could find a model in it
 * that they cover. Throws the `GatewayError` `malformed-body`.
 */
export const meteredOwn = (call: LeafCall, dialect: Dialect, edits: JsonObject | undefined): MeteredOwn => {
  try {
    const { stream, ...asked } = askedFor(call, edits);
    const params = effectiveParams(call, edits);
    const mostOutput = call.exchange.route.operation === 'embed' ? 0 : mostOutputOf(params);
    const known = { ...asked, ...(mostOutput === undefined ? {} : { mostOutput }) };
    const request = stream ? usageRequest(call, dialect) : undefined;
    if (request === undefined || request.isMade(params)) return known;
    const { param, member } = request;
    return { ...known, request: { param, member, value: request.make(params) } };
  } catch (error) {
    if (call.run.limited !== undefined) throw error;
    return {};
  }
};
