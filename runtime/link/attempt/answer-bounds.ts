import { defaultIdleMs } from '../../../schema/schedule.ts';

/** What an upstream's answer may cost. */
export interface AnswerBounds {
  /** Bytes of a whole answer that are kept in memory. */
  readonly answerBytes: number;
  /** Milliseconds of silence in the middle of a stream, or of an answer that is passed through. */
  readonly idleMs: number;
}

export const defaultAnswerBounds: AnswerBounds = { answerBytes: 32 * 1024 * 1024, idleMs: defaultIdleMs };
