import { readBound, tagBound } from '../../../schema/bound.ts';
import type { BoundValue } from '../../../schema/conversation.ts';

/**
 * The documented signature for calls that another model made: the service does not verify it.
 * https://ai.google.dev/gemini-api/docs/thought-signatures#faqs
 */
export const unverified = 'skip_thought_signature_validator';

/** Both documented values; they prove nothing, so they are not read. */
const placeholders: ReadonlySet<string> = new Set([unverified, 'context_engineering_is_the_way_to_go']);

/** How the base64 of every tagged value begins. */
const taggedStart = 'Z3cxL';

/** A signature as a client sees it: in base64, because its library decodes the member. */
export const encodeSignature = (bound: BoundValue): string => Buffer.from(tagBound(bound), 'utf8').toString('base64');

/** `scope` is that of a signature which names none. */
export const decodeSignature = (text: string | undefined, scope: string): BoundValue | undefined => {
  if (text === undefined || text === '' || placeholders.has(text)) return undefined;
  if (!text.startsWith(taggedStart)) return readBound(text, 'thought', scope);
  const plain = Buffer.from(text, 'base64').toString('utf8');
  return plain.startsWith('gw1.') ? readBound(plain, 'thought', scope) : { scope, kind: 'thought', value: text };
};
