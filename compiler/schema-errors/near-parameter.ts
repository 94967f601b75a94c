import { editDistance } from '../../schema/text/closest-name.ts';
import { spelling } from '../diagnostics/spelling.ts';
import { requestParameters } from './request-parameters.ts';

/** Shorter names differ by only one letter from parameters that some provider has. */
const shortest = 6;

/** All providers have `model`. */
const shortestOfModel = 4;

/**
 * Parameters of some providers that differ by one letter from a parameter that all have: `models` is OpenRouter's list of
 * fallbacks.
 */
const otherParameters: ReadonlySet<string> = new Set(['mode', 'models']);

const isSlipOf = (known: string, name: string): boolean =>
  name.length >= (known === 'model' ? shortestOfModel : shortest) && editDistance(known, name.toLowerCase()) === 1;

/** Returns the known parameter that was probably meant: spelt differently, or different by one letter. */
export const nearParameter = (name: string): string | undefined =>
  otherParameters.has(name)
    ? undefined
    : Object.keys(requestParameters).find(
        (known) => known !== name && (spelling(known) === spelling(name) || isSlipOf(known, name)),
      );
