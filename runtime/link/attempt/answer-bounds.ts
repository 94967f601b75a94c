import { defaultIdleMs } from '../../../schema/schedule.ts';

/** Limits on an upstream's answer. */
export interface AnswerBounds {
  /** The largest whole answer that is kept in memory, in bytes. */
  readonly answerBytes: number;
  /** Milliseconds of silence in the middle of a stream, or of an answer that is passed through. */
  readonly idleMs: number;
}

export const defaultAnswerBounds: AnswerBounds = { answerBytes: 32 * 1024 * 1024, idleMs: defaultIdleMs };
