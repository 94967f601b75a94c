import type { Dialect } from '../dialect/dialect.ts';
import type { Framing } from './framing.ts';
import { framings } from './framings.ts';

/**
 * Returns the framing in which providers stream a dialect. A stream in one JSON array has the content type of a whole answer, so
 * providers are asked for server-sent events instead.
 */
export const providerFraming = (dialect: Dialect | undefined): Framing => {
  const { framing = 'sse' } = dialect ?? {};
  return framings[framing === 'json-array' ? 'sse' : framing];
};
