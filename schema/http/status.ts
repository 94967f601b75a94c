/**
 * A rule for the answers that a setting applies to. `codes` are exactly those statuses; `not-2xx` is the default
 * trigger of fallback; `breaker-default` is every status above 500, and a 408 that is the gateway's own time-out.
 */
export type StatusRule =
  | { readonly kind: 'codes'; readonly codes: readonly number[] }
  | { readonly kind: 'not-2xx' }
  | { readonly kind: 'breaker-default' };

/** Where an answer came from; only `upstream` means that a provider answered. */
export type Origin = 'upstream' | 'network' | 'timeout' | 'cache' | 'check' | 'limit' | 'gateway';

/** The parts of an answer that strategies and stages use. */
export interface Outcome {
  readonly status: number;
  readonly origin: Origin;
}

export type OutcomeMatcher = (outcome: Outcome) => boolean;

/** The statuses that are retried if a config does not list its own. */
export const defaultRetryCodes: readonly number[] = [429, 500, 502, 503, 504, 529];

/** The status of a denied answer, and of one that failed a check without being denied. */
export const deniedStatus = 446;
export const checkFailedStatus = 246;

/** The reason phrase of a status that HTTP does not know, and the gateway gives; undefined for all others. */
export const ownReason = (status: number): string | undefined =>
  status === deniedStatus || status === checkFailedStatus ? 'Hooks failed' : undefined;

/** The cause of a failure that a provider answered itself. */
export const upstreamCause = (status: number): string => `upstream-${status}`;

/** The status of a provider's answer that is a cause; undefined for any other text. */
export const statusOfCause = (cause: string): number | undefined => {
  const [, status] = /^upstream-([1-5]\d\d)$/.exec(cause) ?? [];
  return status === undefined ? undefined : Number(status);
};

export const isSuccess = (status: number): boolean => status >= 200 && status <= 299;

/** The rule as a function, built once when a plan is linked. */
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
