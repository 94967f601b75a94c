import type { Replacement, Verdict } from '../../../sdk/guardrail/guardrail.ts';
import { redactions } from './redactions.ts';

export interface PiiFindings {
  readonly vendor: string;
  /** How often each kind was found; never what was found. */
  readonly counts: { readonly [kind: string]: number };
  readonly redact: boolean;
  readonly found: readonly Replacement[];
}

/** What is found fails, unless it is replaced. */
export const piiVerdict = ({ vendor, counts, redact, found }: PiiFindings): Verdict => {
  const kinds = Object.keys(counts);
  if (kinds.length === 0) return { pass: true, data: { explanation: `${vendor} found nothing.`, counts } };
  const explanation = `${vendor} found ${kinds.join(', ')}${redact ? ', which was replaced' : ''}.`;
  return { pass: redact, data: { explanation, counts }, ...(redact && { replace: redactions(found) }) };
};
