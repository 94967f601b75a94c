import { invalidInput } from '../../../schema/invalid-input.ts';
import { isNonEmpty, type Json } from '../../../schema/json.ts';
import { zeroCharacters } from './zero-characters.ts';

/** Throws the `GatewayError` `invalid-input` for a body, or a query, with a text that the store cannot keep. */
export const refuseZeros = (given: object, part?: 'query'): void => {
  // Bodies and queries were JSON.
  const problems = zeroCharacters(given as Json).map((each) => (part === undefined ? each : { in: part, ...each }));
  if (isNonEmpty(problems)) throw invalidInput(problems);
};
