import { boundMark, readBound } from '../../../../schema/conversation/bound.ts';
import type { BoundValue } from '../../../../schema/conversation/conversation.ts';

/** A tagged signature, and the empty one of unsigned thinking, which the API rejects. */
export const gatewayMarks: readonly string[] = [`"${boundMark}`, '"signature":""', '"signature": ""'];

/**
 * Returns the signature of a block of thinking, which is empty if there is none. `scope` applies to a signature that names none.
 */
export const findSignature = (text: string | undefined, scope: string): BoundValue | undefined =>
  text === undefined || text === '' ? undefined : readBound(text, 'signature', scope);
