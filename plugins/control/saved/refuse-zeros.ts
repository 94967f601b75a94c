import type { Json } from '../../../schema/json.ts';
import { refuse } from './refusals.ts';
import { zeroCharacters } from './zero-characters.ts';

/** Throws the `GatewayError` `invalid-input` for a body, or a query, with a text that the store cannot keep. */
export const refuseZeros = (given: object, part?: 'query'): void => {
  // Bodies and queries were JSON.
  refuse(zeroCharacters(given as Json).map((each) => (part === undefined ? each : { in: part, ...each })));
};
