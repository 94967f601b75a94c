import type { JsonObject } from '../../../schema/json/json.ts';
import type { CheckPhase } from '../../../schema/trail/trail.ts';
import { textExcerpt } from './text-excerpt.ts';

/**
 * The beginning of a request's text, for a verdict's data. Of an answer nothing is shown: it may be denied, or another check
 * may replace what it begins with.
 */
export const shownExcerpt = (phase: CheckPhase, text: string): JsonObject =>
  phase === 'input' ? { textExcerpt: textExcerpt(text) } : {};
