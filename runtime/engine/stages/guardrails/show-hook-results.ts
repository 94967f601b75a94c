import type { GatewayResponse, RawHeaders } from '../../../../plugins/sdk/http/http.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import type { Json } from '../../../../schema/json/json.ts';
import { spliceParams } from '../../../json-bodies/edit/splice-params.ts';
import { withFirstMember } from '../../../json-bodies/edit/with-first-member.ts';
import { findJsonObject } from '../../../json-bodies/read/find-json-object.ts';
import type { LeafCall, LeafStep } from '../../call/leaf-call.ts';
import { isPlainJson } from '../../forwarded-headers/is-plain-json.ts';

/** Returns the pieces of a JSON text. */
const toResults = ({ inputResults = '[]', outputResults }: LeafCall): readonly string[] => [
  '{"before_request_hooks":',
  inputResults,
  outputResults === undefined
    ? ',"after_request_hooks":[]}'
    : `,"after_request_hooks":${JSON.stringify(outputResults)}}`,
];

const name = 'hook_results';
const putFirst = withFirstMember(name);

/**
 * Adds the results to a body that declares itself JSON, without parsing it. A provider's answer has no such member, so it is put
 * first. If the name may occur in the body, its members are searched.
 */
const bytesWith = (bytes: Uint8Array, headers: RawHeaders, results: readonly string[]): Uint8Array => {
  const isObject = (): boolean => findJsonObject(bytes) !== undefined;
  const written = isPlainJson(headers) || isObject() ? putFirst(bytes, results) : undefined;
  if (written !== undefined) return written;
  return isObject() ? spliceParams(bytes, { [name]: fromJson(results.join('')) as Json }) : bytes;
};

const withResults = (response: GatewayResponse, results: readonly string[]): GatewayResponse => {
  const { body, headers } = response;
  return body.kind === 'bytes'
    ? { ...response, body: { kind: 'bytes', bytes: bytesWith(body.bytes, headers, results) } }
    : response;
};

const shown = (response: GatewayResponse, call: LeafCall): GatewayResponse => {
  const hasResults = call.inputResults !== undefined || call.outputResults !== undefined;
  return hasResults ? withResults(response, toResults(call)) : response;
};

/** Adds the check results to the leaf's answer if it is a JSON object. The rest of the answer is unchanged. */
export const showHookResults =
  (inner: LeafStep): LeafStep =>
  (call) =>
    inner(call).then((response) => shown(response, call));
