import { errorTable } from '../../schema/errors/errors.ts';
import type { Outcome } from '../../schema/http/status.ts';
import { type Rational, rational, zero } from '../semantics/rational.ts';

/**
 * How calls of a target fail, each independently: the probability, the outcome, and whether it comes immediately or only after
 * the target's time-out.
 */
export interface Failure {
  /** The probability for one call, from 0 to 1. */
  readonly probability: Rational;
  readonly outcome: Outcome;
  readonly isLate: boolean;
}

const unavailable: Outcome = { status: 503, origin: 'upstream' };

/** A target of which every call succeeds. */
export const neverFails: Failure = { probability: zero, outcome: unavailable, isLate: false };

/** Parses a number from 0 to 1 with at most six decimals; more precise shares of requests are never measured. */
const readShare = (text: string): Rational | undefined => {
  const [, whole = '', decimals = ''] = /^([01])(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  if (whole === '') return undefined;
  const denominator = 10n ** BigInt(decimals.length);
  const numerator = BigInt(whole) * denominator + BigInt(decimals === '' ? 0 : decimals);
  return numerator > denominator ? undefined : rational(numerator, denominator);
};

const failedStatus = /^[345]\d\d$/;

const readOutcome = (text: string): Omit<Failure, 'probability'> | undefined => {
  if (text === 'timeout')
    return { outcome: { status: errorTable['request-timeout'].status, origin: 'timeout' }, isLate: true };
  if (text === 'network')
    return { outcome: { status: errorTable['connection-failed'].status, origin: 'network' }, isLate: false };
  return failedStatus.test(text) ? { outcome: { status: Number(text), origin: 'upstream' }, isLate: false } : undefined;
};

/** Parses `0.1`, `0.1:429`, `0.1:timeout` or `0.1:network`; undefined for anything else. Without an outcome it is 503. */
export const readFailure = (text: string): Failure | undefined => {
  const [share = '', outcome, ...rest] = text.split(':');
  const probability = rest.length === 0 ? readShare(share) : undefined;
  const read = outcome === undefined ? neverFails : readOutcome(outcome);
  return probability === undefined || read === undefined ? undefined : { ...read, probability };
};
