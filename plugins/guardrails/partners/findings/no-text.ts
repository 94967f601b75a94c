import type { Verdict } from '../../../sdk/guardrail/guardrail.ts';

/** The verdict on a text that is empty or blank, about which no service is asked. */
export const noText: Verdict = { pass: true, data: { explanation: 'There is no text to judge.' } };
