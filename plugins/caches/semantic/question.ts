import { createHash } from 'node:crypto';
import type { CacheKey } from '../../sdk/cache/cache.ts';
import { wordingForm } from './guard/wording-form.ts';
import { lastText } from './last-text.ts';

/** The part of a request that may be worded differently. */
export interface Question {
  /** The text of the user's last message. */
  readonly text: string;
  /**
   * A hash of everything else, and of what the text must share with that of another request: numbers, names, negations, and the
   * order of words. Only requests in one partition are compared.
   */
  readonly partition: string;
}

/** In longer conversations, the last message means little without the others. */
const maxMessages = 4;

/** Returns the question of a request whose wording may vary. Undefined for all other requests. `model` is the embedding model. */
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
