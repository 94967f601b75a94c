/**
 * A rule for the responses to which a setting applies. `codes` matches exactly those statuses. `not-2xx` is the default trigger
 * of fallbacks. `breaker-default` is every status above 500, and a 408 that is the gateway's own time-out.
 */
export type StatusRule =
  | { readonly kind: 'codes'; readonly codes: readonly number[] }
  | { readonly kind: 'not-2xx' }
  | { readonly kind: 'breaker-default' };

/** The origin of a response. Only `upstream` means that a provider responded. */
export type Origin = 'upstream' | 'network' | 'timeout' | 'cache' | 'check' | 'limit' | 'gateway';

/** The parts of a response that strategies and stages use. */
export interface Outcome {
  readonly status: number;
  readonly origin: Origin;
}

export type OutcomeMatcher = (outcome: Outcome) => boolean;

/** The statuses that are retried if a config does not list its own. */
export const defaultRetryCodes: readonly number[] = [429, 500, 502, 503, 504, 529];

/** The status of a denied response, and of one that failed a check without being denied. */
export const deniedStatus = 446;
export const checkFailedStatus = 246;

/** Returns the reason phrase of a status that HTTP does not define but the gateway uses; undefined for all others. */
export const ownReason = (status: number): string | undefined =>
  status === deniedStatus || status === checkFailedStatus ? 'Hooks failed' : undefined;

/** Whether a value can be the final status of a response, which is not an interim one: RFC 9110 §15. */
export const isFinalStatus = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599;

/** Returns the cause for a failure that was the provider's own response. */
export const upstreamCause = (status: number): string => `upstream-${status}`;

/** Parses the status of a provider's response from a cause; undefined for any other text. */
export const statusOfCause = (cause: string): number | undefined => {
  const [, status] = /^upstream-([1-5]\d\d)$/.exec(cause) ?? [];
  return status === undefined ? undefined : Number(status);
};

/** The status of a response that opens a WebSocket: RFC 9110 §15.2.2. */
export const switchingProtocols = 101;

/** Whether a response is the one that was asked for: what was requested, or the opening of a WebSocket. */
export const isSuccess = (status: number): boolean => (status >= 200 && status <= 299) || status === switchingProtocols;

/** Returns the rule as a function, built once when a plan is linked. */
export const statusMatcher = (rule: StatusRule): OutcomeMatcher => {
  switch (rule.kind) {
    case 'codes': {
      const codes = new Set(rule.codes);
      return ({ status }) => codes.has(status);
    }
    case 'not-2xx':
      return ({ status }) => !isSuccess(status);
    case 'breaker-default':
      return ({ status, origin }) => status > 500 || (status === 408 && origin === 'timeout');
  }
};
