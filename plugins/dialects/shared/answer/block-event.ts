import type { AnswerEvent } from '../../../../schema/conversation/answer.ts';

/** An event that belongs to one part of the answer. */
export type BlockEvent = Exclude<
  AnswerEvent,
  { readonly kind: 'start' | 'extension' | 'finish' | 'usage' | 'error' | 'end' }
>;

export type BlockEventOf<Kind extends BlockEvent['kind']> = Extract<BlockEvent, { readonly kind: Kind }>;
