import type { ChooserOutcome } from '../../../plugins/sdk/chooser/chooser.ts';
import { type GatewayResponse, headerValue, upstreamOutcome } from '../../../plugins/sdk/http/http.ts';

/** Returns the part of an answer that choosers learn about. Undefined if no upstream was involved. */
export const chooserOutcome = (response: GatewayResponse, answeredMs: number): ChooserOutcome | undefined => {
  const outcome = upstreamOutcome(response);
  if (outcome === undefined) return undefined;
  const { status, origin, headers } = outcome;
  return { status, origin, answeredMs, header: (name) => headerValue(headers, name) };
};
