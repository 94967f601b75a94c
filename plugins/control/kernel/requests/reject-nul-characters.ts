import type { Json } from '../../../../schema/json/json.ts';
import { findNulCharacters } from './nul-characters.ts';
import { refuse } from './refusals.ts';

/** Throws the `GatewayError` `invalid-input` for a body, or a query, with a text that the store cannot keep. */
export const rejectNulCharacters = (given: object, part?: 'query'): void => {
  // Bodies and queries were JSON.
  refuse(findNulCharacters(given as Json).map((each) => (part === undefined ? each : { in: part, ...each })));
};
