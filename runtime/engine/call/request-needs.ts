import type { Conversation } from '../../../schema/conversation/conversation.ts';
import type { ModelNeeds } from '../../../schema/model-facts/find-lacks.ts';
import type { Lack } from '../../../schema/model-facts/lack.ts';

/**
 * A part of conversations that not every format can carry. Whether one can is asked of its codec, with a sample: the codec says
 * what of that is lost.
 */
export interface CarriedPart {
  /** What a target lacks whose format cannot carry it. */
  readonly lack: Lack;
  /** Of the losses that a codec may report of the sample, those of the part itself. */
  readonly lost: readonly string[];
  readonly sample: Conversation;
}

/** What a request needs of a target. */
export interface RequestNeeds extends ModelNeeds {
  readonly carried: readonly CarriedPart[];
}
