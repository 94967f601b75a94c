import type { GatewayResponse } from '../../../plugins/sdk/http.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { jsonObjectOf } from '../body/json-object-of.ts';
import { spliceParams } from '../body/splice-params.ts';
import { withFirstMember } from '../body/with-first-member.ts';
import type { LeafCall, LeafStep } from '../leaf-call.ts';

const resultsOf = ({ inputResults, outputResults }: LeafCall): JsonObject | undefined =>
  inputResults === undefined && outputResults === undefined
    ? undefined
    : { before_request_hooks: inputResults ?? [], after_request_hooks: outputResults ?? [] };

const name = 'hook_results';

/** A provider's answer has no such member, so that it is put first; where the name occurs, the members are gone through. */
const bytesWith = (bytes: Uint8Array, results: JsonObject): Uint8Array => {
  if (jsonObjectOf(bytes) === undefined) return bytes;
  return withFirstMember(bytes, name, results) ?? spliceParams(bytes, { [name]: results });
};

const withResults = (response: GatewayResponse, results: JsonObject): GatewayResponse => {
  const { body } = response;
  return body.kind === 'bytes'
    ? { ...response, body: { kind: 'bytes', bytes: bytesWith(body.bytes, results) } }
    : response;
};

/** Adds the check results to the leaf's answer if it is a JSON object. The rest of it is unchanged. */
export const showHookResults =
  (inner: LeafStep): LeafStep =>
  async (call) => {
    const response = await inner(call);
    const results = resultsOf(call);
    return results === undefined ? response : withResults(response, results);
  };
