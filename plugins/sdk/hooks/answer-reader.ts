import type { UsageRecord } from '../../../schema/usage/usage-record.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { UnreadAnswer } from './unread-answer.ts';

/** The parts of an answer that are read and that determine its price. */
export interface CopiedAnswer extends Pick<UnreadAnswer, 'request' | 'answer' | 'listedAs'> {
  /** The id of the provider. */
  readonly provider: string;
  /** The time for which prices are looked up, in milliseconds since the epoch. */
  readonly at: number;
}

/** The values that were read from a request and its answer. */
export interface ReadAnswer {
  /** Undefined if the request does not name a model. */
  readonly askedModel: string | undefined;
  readonly usage: UsageRecord;
  /** Why the choices of the answer ended, in the provider's words. */
  readonly finishReasons: readonly string[];
}

/** A model as requested from a provider, or as named in its answer. */
export interface NamedModel extends Pick<CopiedAnswer, 'provider' | 'listedAs'> {
  readonly model: string;
}

/** Reads what attempts used from copies of their bodies, in the same way as the gateway reads answers that it serves. */
export interface AnswerReader {
  /** Resolves when prices are loaded. Undefined if they already are. */
  ready(): Promise<void> | undefined;
  /** The result has no cost if prices are not loaded yet or the model has no price. */
  read(dialect: Dialect, copied: CopiedAnswer): ReadAnswer;
  /**
   * Returns the name of a model in the operator's prices, or otherwise in public price lists. Callers can request any model, but
   * the number of listed names is bounded. Returns undefined if no list has the model, or if prices are not loaded yet.
   */
  listedModel(named: NamedModel): string | undefined;
}
