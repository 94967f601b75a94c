import type { Dialect } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { UsageRequest } from '../../../../plugins/sdk/dialect/stream-usage.ts';
import { operations } from '../../../../plugins/sdk/exchange/operations.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findAskedTier, findMaxOutput } from '../../../../schema/usage/max-output.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import { sentParams } from '../../call/param-edits.ts';
import { askedModel, asksForStream } from '../../call/requested-model-and-stream.ts';
import { usageRequest } from './usage-request.ts';

/** A parameter that requests usage, in a request whose client did not ask for it. */
export interface AddedRequest extends Pick<UsageRequest, 'param' | 'member'> {
  readonly value: Json;
}

export interface MeteredOwn {
  readonly model: string | undefined;
  readonly maxOutput: number | undefined;
  readonly tier?: string | undefined;
  readonly request: AddedRequest | undefined;
}

const nothingKnown: MeteredOwn = { model: undefined, maxOutput: undefined, request: undefined };

const addedRequest = (call: LeafCall, dialect: Dialect, params: JsonObject): AddedRequest | undefined => {
  const request = usageRequest(call, dialect);
  if (request === undefined || request.isMade(params)) return undefined;
  return { param: request.param, member: request.member, value: request.make(params) };
};

/**
 * Finds the parts of a request in the provider's own dialect that metering needs. Only here is such a body parsed. One that
 * cannot be parsed is sent as it is, and its provider will reject it. If there are limits it is refused, because another reader
 * could find a model in it that they cover. Throws the `GatewayError` `malformed-body`.
 */
export const meteredOwn = (call: LeafCall, dialect: Dialect, edits: JsonObject | undefined): MeteredOwn => {
  try {
    const model = askedModel(call, edits);
    const isStream = asksForStream(call, edits);
    const params = sentParams(call, edits);
    const maxOutput = operations[call.exchange.route.operation].output === 'figures' ? 0 : findMaxOutput(params);
    return {
      model,
      maxOutput,
      tier: findAskedTier(params),
      request: isStream ? addedRequest(call, dialect, params) : undefined,
    };
  } catch (error) {
    if (call.run.limited !== undefined) throw error;
    return nothingKnown;
  }
};
