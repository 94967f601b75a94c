import type { Part } from '../../../../schema/conversation/conversation.ts';

/** A part with its path in the conversation. */
export interface Placed<P extends Part = Part> {
  readonly part: P;
  readonly path: string;
}
