import { readBound, tagBound } from '../../../schema/bound.ts';
import type { BoundValue } from '../../../schema/conversation.ts';

/**
 * The documented signature for calls that another model made: the service does not verify it.
 * https://ai.google.dev/gemini-api/docs/thought-signatures#faqs
 */
export const unverified = 'skip_thought_signature_validator';

/** Both documented values; they prove nothing, so they are not read. */
const placeholders: ReadonlySet<string> = new Set([unverified, 'context_engineering_is_the_way_to_go']);

/** A signature as a client sees it: with its kind, and in base64, because the client's library decodes the member. */
export const encodeSignature = (bound: BoundValue): string =>
  Buffer.from(`${bound.kind}.${tagBound(bound)}`, 'utf8').toString('base64');

const tagged = /^(signature|encrypted|thought)\.(gw1\..*)$/s;

const isKind = (text: string | undefined): text is BoundValue['kind'] =>
  text === 'signature' || text === 'encrypted' || text === 'thought';

/** `scope` is that of a signature which names none. */
export const decodeSignature = (text: string | undefined, scope: string): BoundValue | undefined => {
  if (text === undefined || text === '' || placeholders.has(text)) return undefined;
  const plain = Buffer.from(text, 'base64').toString('utf8');
  const [, kind, bound = ''] = tagged.exec(plain) ?? [];
  if (isKind(kind)) return readBound(bound, kind, scope);
  return readBound(text, 'thought', scope);
};
