import type { JsonObject } from '../../../schema/json/json.ts';
import type { CheckPhase } from '../../../schema/trail/trail.ts';
import { textExcerpt } from './text-excerpt.ts';

/**
 * Returns the beginning of a request's text, for a verdict's data. For an answer, nothing is shown: it may be denied, or another
 * check may replace its beginning.
 */
export const shownExcerpt = (phase: CheckPhase, text: string): JsonObject =>
  phase === 'input' ? { textExcerpt: textExcerpt(text) } : {};
