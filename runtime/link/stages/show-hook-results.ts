import type { GatewayResponse } from '../../../plugins/sdk/http.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { jsonObjectOf } from '../body/json-object-of.ts';
import { spliceParams } from '../body/splice-params.ts';
import type { LeafCall, LeafStep } from '../leaf-call.ts';

const resultsOf = ({ inputResults, outputResults }: LeafCall): JsonObject | undefined =>
  inputResults === undefined && outputResults === undefined
    ? undefined
    : { before_request_hooks: inputResults ?? [], after_request_hooks: outputResults ?? [] };

const withResults = (response: GatewayResponse, results: JsonObject): GatewayResponse => {
  const { body } = response;
  if (body.kind !== 'bytes' || jsonObjectOf(body.bytes) === undefined) return response;
  return { ...response, body: { kind: 'bytes', bytes: spliceParams(body.bytes, { hook_results: results }) } };
};

/** Adds the check results to the leaf's answer if it is a JSON object. The rest of it is unchanged. */
export const showHookResults =
  (inner: LeafStep): LeafStep =>
  async (call) => {
    const response = await inner(call);
    const results = resultsOf(call);
    return results === undefined ? response : withResults(response, results);
  };
