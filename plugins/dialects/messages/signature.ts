import { readBound } from '../../../schema/bound.ts';
import type { BoundValue } from '../../../schema/conversation.ts';

/** The signature of a block of thinking, which is empty where there is none. `scope` is that of one which names none. */
export const signatureOf = (text: string | undefined, scope: string): BoundValue | undefined =>
  text === undefined || text === '' ? undefined : readBound(text, 'signature', scope);
