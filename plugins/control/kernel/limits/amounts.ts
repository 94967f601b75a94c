import type { PointerToken } from '../../../../schema/json/pointer.ts';
import { type Problem, problem } from '../requests/problem.ts';
import type { Unit } from './limit-policy.ts';

/** The measure of a limit, as it is on the wire. */
export type LimitType = 'cost' | 'tokens' | 'requests';

const decimals: Readonly<Record<LimitType, number>> = { cost: 9, tokens: 0, requests: 0 };

const words: Readonly<Record<LimitType, string>> = { cost: 'US dollars', tokens: 'tokens', requests: 'requests' };

export const toUnit = (type: LimitType): Unit => (type === 'cost' ? 'nanoUsd' : type);

/** A number, at least 0, as JSON writes it. */
const written = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

/**
 * Multiplies a number by a power of ten, by its digits: the product of two floating-point numbers may be another one. It is
 * undefined where it has a fraction.
 */
const scale = (value: number, places: number): bigint | undefined => {
  const [, before = '', behind = '', exponent = '0'] = written.exec(String(value)) ?? [];
  const digits = `${before}${behind}`;
  const shift = Number(exponent) - behind.length + places;
  if (shift >= 0) return BigInt(digits) * 10n ** BigInt(shift);
  return /^0*$/.test(digits.slice(shift)) ? BigInt(digits.slice(0, shift)) : undefined;
};

/** Lists what is wrong with an amount that is to be counted; it is at least 0. */
export const amountErrors = (place: readonly PointerToken[], value: number, type: LimitType): readonly Problem[] => {
  const amount = scale(value, decimals[type]);
  const largest = fromWhole(Number.MAX_SAFE_INTEGER, type);
  if (amount === undefined)
    return [
      type === 'cost'
        ? problem(place, `${value} US dollars are no whole number of billionths.`, 'Write at most nine decimal places.')
        : problem(place, `${value} is no whole number of ${words[type]}.`, 'Write a whole number.'),
    ];
  if (amount > BigInt(Number.MAX_SAFE_INTEGER))
    return [
      problem(place, `${value} ${words[type]} are more than can be counted exactly.`, `Write at most ${largest}.`),
    ];
  return [];
};

/** The whole units of an amount without errors: 0.1 of `cost` is 100000000. */
export const toWhole = (value: number, type: LimitType): number => Number(scale(value, decimals[type]));

/** The amount that whole units are, as it is on the wire. A quotient is the number nearest to it, which is the one that was written. */
export const fromWhole = (whole: number, type: LimitType): number => whole / 10 ** decimals[type];
