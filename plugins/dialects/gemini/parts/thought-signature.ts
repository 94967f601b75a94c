import { readBound, tagBound } from '../../../../schema/conversation/bound.ts';
import type { BoundValue } from '../../../../schema/conversation/conversation.ts';

/**
 * The documented signature for calls that another model made. The service does not verify it:
 * https://ai.google.dev/gemini-api/docs/thought-signatures#faqs
 */
export const placeholderSignature = 'skip_thought_signature_validator';

/** Both documented values. They prove nothing, so they are ignored when read. */
const placeholders: ReadonlySet<string> = new Set([placeholderSignature, 'context_engineering_is_the_way_to_go']);

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

/** Encodes a signature for a client: with its kind, and in base64, because the client's library decodes the member. */
export const encodeSignature = (bound: BoundValue): string => base64(`${bound.kind}.${tagBound(bound)}`);

/** How such signatures begin: as many bytes of each as are whole base64 characters. */
export const gatewayMarks: readonly string[] = ['signature.gw', 'thought.gw1.', 'encrypted.gw'].map(
  (beginning) => `"${base64(beginning)}`,
);

const nobodys = 'thought.gw1.none.';

/**
 * The signature that clients get on the first call of an answer that nobody signed. Models since Gemini 3 refuse an unsigned call
 * when it comes back. This value shows that the request must be encoded for the model.
 */
export const unsignedMark: string = base64(nobodys);

const tagged = /^(signature|encrypted|thought)\.(gw1\..*)$/s;

const isKind = (text: string | undefined): text is BoundValue['kind'] =>
  text === 'signature' || text === 'encrypted' || text === 'thought';

/** Decodes a signature. `scope` applies to one that names none. */
export const decodeSignature = (text: string | undefined, scope: string): BoundValue | undefined => {
  if (text === undefined || text === '' || placeholders.has(text)) return undefined;
  const plain = Buffer.from(text, 'base64').toString('utf8');
  if (plain === nobodys) return undefined;
  const [, kind, bound = ''] = tagged.exec(plain) ?? [];
  if (isKind(kind)) return readBound(bound, kind, scope);
  return readBound(text, 'thought', scope);
};
