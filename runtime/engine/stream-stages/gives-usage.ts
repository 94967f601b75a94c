import type { LeafCall } from '../call/leaf-call.ts';
import type { StreamedAnswer } from './streamed-answer.ts';

/** Within one dialect, a client is given the usage that its provider sends, unless only the gateway asked for it. */
export const givesUsage = (
  { outgoing }: LeafCall,
  { translation, streamUsage }: Pick<StreamedAnswer, 'translation' | 'streamUsage'>,
): boolean => (translation.kind === 'same' ? outgoing?.strip === undefined : streamUsage);
