import type { Conversation } from '../conversation/conversation.ts';
import type { ModelNeeds } from './find-lacks.ts';
import type { Lack } from './lack.ts';

/**
 * A part of conversations that not every format can carry. To find out, a sample is passed to the format's codec, which reports
 * what it loses.
 */
export interface CarriedPart {
  /** The lack of a target whose format cannot carry it. */
  readonly lack: Lack;
  /** The losses that concern the part itself, of those that a codec may report for the sample. */
  readonly lost: readonly string[];
  readonly sample: Conversation;
}

/** The needs of a request that its target must meet. */
export interface RequestNeeds extends ModelNeeds {
  readonly carried: readonly CarriedPart[];
}
