import { editDistance } from '../../schema/text/closest-name.ts';
import { spelling } from '../diagnostics/spelling.ts';
import { requestParameters } from './request-parameters.ts';

/** Shorter names are only a letter apart from parameters that some provider has. */
const shortest = 6;

/** The known parameter that a name was probably meant to be: spelt otherwise, or a letter apart. */
export const nearParameter = (name: string): string | undefined =>
  Object.keys(requestParameters).find(
    (known) =>
      known !== name &&
      (spelling(known) === spelling(name) ||
        (name.length >= shortest && editDistance(known, name.toLowerCase()) === 1)),
  );
