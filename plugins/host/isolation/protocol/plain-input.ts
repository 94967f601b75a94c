import type { CheckedRequest, CheckInput } from '../../../sdk/guardrail/guardrail.ts';
import { findUnwatched } from '../../../sdk/guardrail/unwatched.ts';
import type { RunMembers } from './protocol.ts';

/** A request with the texts that it reads when a check asks for them. */
const plainRequest = (request: CheckedRequest): CheckedRequest => {
  const { text, earlierText } = request;
  return { ...request, text, earlierText };
};

/** An input as its process gets it: all of it, whatever the check looks at. */
export const plainInput = (input: CheckInput): RunMembers['input'] => {
  const { phase, text, spans, metadata, tenant, answer, reference } = input;
  const { request, target } = findUnwatched(input) ?? input;
  const compared = reference === undefined ? {} : { reference };
  const judged = answer === undefined ? {} : { answer };
  // What checks of requests judge is the text of their input.
  const read = phase === 'output' ? plainRequest(request) : request;
  return { phase, text, spans, metadata, tenant, request: read, target, ...compared, ...judged };
};
