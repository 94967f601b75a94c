import type { Verdict } from '../../../sdk/guardrail/guardrail.ts';

/** The verdict on an empty or blank text, for which no service is called. */
export const noText: Verdict = { pass: true, data: { explanation: 'There is no text to judge.' } };
