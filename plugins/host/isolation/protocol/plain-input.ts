import type { CheckInput } from '../../../sdk/guardrail/guardrail.ts';
import { findUnwatched } from '../../../sdk/guardrail/unwatched.ts';
import type { RunMembers } from './protocol.ts';

/** An input as its process gets it: all of it, whatever the check looks at. */
export const plainInput = (input: CheckInput): RunMembers['input'] => {
  const { phase, text, spans, metadata, tenant, answer, reference } = input;
  const { request, target } = findUnwatched(input) ?? input;
  const compared = reference === undefined ? {} : { reference };
  const judged = answer === undefined ? {} : { answer };
  return { phase, text, spans, metadata, tenant, request, target, ...compared, ...judged };
};
