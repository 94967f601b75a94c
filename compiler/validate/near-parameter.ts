import { editDistance } from '../../schema/text/closest-name.ts';
import { spelling } from '../diagnostics/spelling.ts';
import { requestParameters } from './request-parameters.ts';

/** Shorter names are only a letter apart from parameters that some provider has. */
const shortest = 6;

/** All providers have `model`. */
const shortestOfModel = 4;

/** Parameters of some providers that are a letter apart from one of all: `models` is OpenRouter's list of fallbacks. */
const otherParameters: ReadonlySet<string> = new Set(['mode', 'models']);

const isSlipOf = (known: string, name: string): boolean =>
  name.length >= (known === 'model' ? shortestOfModel : shortest) && editDistance(known, name.toLowerCase()) === 1;

/** The known parameter that a name was probably meant to be: spelt otherwise, or a letter apart. */
export const nearParameter = (name: string): string | undefined =>
  otherParameters.has(name)
    ? undefined
    : Object.keys(requestParameters).find(
        (known) => known !== name && (spelling(known) === spelling(name) || isSlipOf(known, name)),
      );
