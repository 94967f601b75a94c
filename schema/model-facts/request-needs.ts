import type { Conversation } from '../conversation/conversation.ts';
import type { ModelNeeds } from './find-lacks.ts';
import type { Lack } from './lack.ts';

/**
 * A part of conversations that not every format can carry. Whether one can is asked of its codec, with a sample: the codec says
 * what of that is lost.
 */
export interface CarriedPart {
  /** The lack of a target whose format cannot carry it. */
  readonly lack: Lack;
  /** Of the losses that a codec may report of the sample, those of the part itself. */
  readonly lost: readonly string[];
  readonly sample: Conversation;
}

/** The needs of a request that its target must meet. */
export interface RequestNeeds extends ModelNeeds {
  readonly carried: readonly CarriedPart[];
}
