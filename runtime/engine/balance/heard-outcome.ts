import type { ChooserOutcome } from '../../../plugins/sdk/chooser/chooser.ts';
import { type GatewayResponse, headerValue } from '../../../plugins/sdk/http/http.ts';
import type { ErrorCode } from '../../../schema/errors/errors.ts';

/** Causes that say nothing of a target: the gateway had no place for the request, or its client had no time. */
const notOfTarget: ReadonlySet<ErrorCode | undefined> = new Set<ErrorCode>(['pool-full', 'deadline-exceeded']);

/** The part of an answer that a chooser hears of; undefined where no upstream had a part in it. */
export const heardOutcome = (response: GatewayResponse, answeredMs: number): ChooserOutcome | undefined => {
  const { status, origin, headers, leaf, cause } = response;
  if (origin !== 'upstream' && origin !== 'network' && origin !== 'timeout') return undefined;
  if (notOfTarget.has(cause) || leaf?.cache === 'HIT' || leaf?.cache === 'SEMANTIC HIT') return undefined;
  return { status, origin, answeredMs, header: (name) => headerValue(headers, name) };
};
