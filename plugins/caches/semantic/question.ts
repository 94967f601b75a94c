import { createHash } from 'node:crypto';
import type { CacheKey } from '../../sdk/cache/cache.ts';
import { wordingForm } from './guard/wording-form.ts';
import { lastText } from './last-text.ts';

/** The part of a request that may be worded otherwise. */
export interface Question {
  /** The text of the last message of the user. */
  readonly text: string;
  /**
   * A hash of all else, and of what the text must have in common with that of another request: numbers, names, negations,
   * the order of its words. Only requests of one partition are compared.
   */
  readonly partition: string;
}

/** In longer conversations the last message means little without the others. */
const maxMessages = 4;

/** The question of a request whose wording may vary; undefined for all others. `model` is that of the vectors. */
export const findQuestion = ({ scope, request }: CacheKey, model: string): Question | undefined => {
  if (request.operation !== 'converse' && request.operation !== 'complete') return undefined;
  const body = request.body();
  const last = body === undefined ? undefined : lastText(body, request.dialect);
  if (last === undefined || last.messages > maxMessages) return undefined;
  const form = wordingForm(last.text);
  if (form === undefined) return undefined;
  const parts = [model, scope, last.with(''), form];
  return { text: last.text, partition: createHash('sha256').update(JSON.stringify(parts)).digest('hex') };
};
