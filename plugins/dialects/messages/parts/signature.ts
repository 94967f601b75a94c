import { boundMark, readBound } from '../../../../schema/conversation/bound.ts';
import type { BoundValue } from '../../../../schema/conversation/conversation.ts';

/** A tagged signature, and that of thinking which has none, for the API refuses such thinking. */
export const gatewayMarks: readonly string[] = [`"${boundMark}`, '"signature":""', '"signature": ""'];

/** The signature of a block of thinking, which is empty where there is none. `scope` is that of one which names none. */
export const findSignature = (text: string | undefined, scope: string): BoundValue | undefined =>
  text === undefined || text === '' ? undefined : readBound(text, 'signature', scope);
