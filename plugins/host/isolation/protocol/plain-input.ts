import type { CheckedRequest, CheckInput } from '../../../sdk/guardrail/guardrail.ts';
import { findUnrecordedParts } from '../../../sdk/guardrail/unrecorded-parts.ts';
import type { RunMembers } from './protocol.ts';

/** Returns a request with all its texts read, which a check would otherwise read on demand. */
const plainRequest = (request: CheckedRequest): CheckedRequest => {
  const { text, earlierText } = request;
  return { ...request, text, earlierText };
};

/** Returns an input as it is sent to the process: complete, whatever the check reads. */
export const plainInput = (input: CheckInput): RunMembers['input'] => {
  const { phase, text, spans, metadata, tenant, answer, reference } = input;
  const { request, target } = findUnrecordedParts(input) ?? input;
  const compared = reference === undefined ? {} : { reference };
  const judged = answer === undefined ? {} : { answer };
  // In the input phase, the request's text is already the text of the input.
  const read = phase === 'output' ? plainRequest(request) : request;
  return { phase, text, spans, metadata, tenant, request: read, target, ...compared, ...judged };
};
