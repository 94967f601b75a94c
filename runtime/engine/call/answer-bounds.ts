import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import { defaultIdleMs } from '../../../schema/plan/schedule.ts';

/** Limits on an upstream's answer. */
export interface AnswerBounds {
  /** The largest whole answer that is kept in memory, in bytes. */
  readonly answerBytes: number;
  /** The maximum silence in the middle of a stream, or of a passed-through answer, in milliseconds. */
  readonly idleMs: number;
}

/** The memory that all whole answers share. */
export interface AnswerMemory {
  /** Reserves bytes of an answer until the request is over. Returns false, and reserves nothing, if there is no room. */
  take(bytes: number, exchange: Exchange): boolean;
}

export const defaultAnswerBounds: AnswerBounds = { answerBytes: 32 * 1024 * 1024, idleMs: defaultIdleMs };
