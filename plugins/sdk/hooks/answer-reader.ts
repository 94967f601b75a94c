import type { UsageRecord } from '../../../schema/usage/usage-record.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { UnreadAnswer } from './unread-answer.ts';

/** The parts of an answer that are read, and that its price depends on. */
export interface CopiedAnswer extends Pick<UnreadAnswer, 'request' | 'answer' | 'listedAs'> {
  /** The id of the provider. */
  readonly provider: string;
  /** Milliseconds since the epoch: prices change. */
  readonly at: number;
}

/** The values that were read from a request and its answer. */
export interface ReadAnswer {
  /** Undefined if the request names none. */
  readonly askedModel: string | undefined;
  readonly usage: UsageRecord;
  /** Why the choices of the answer have ended, in the provider's words. */
  readonly finishReasons: readonly string[];
}

/** A model as a provider is asked for it, or as it says that it answered. */
export interface NamedModel extends Pick<CopiedAnswer, 'provider' | 'listedAs'> {
  readonly model: string;
}

/** Reads what attempts used from copies of their bodies, as the gateway reads it from answers that it serves. */
export interface AnswerReader {
  /** Resolves when prices are known; undefined if they are. */
  ready(): Promise<void> | undefined;
  /** Without a cost before prices are known, and for models without a price. */
  read(dialect: Dialect, copied: CopiedAnswer): ReadAnswer;
  /**
   * The name of a model in the operator's prices, or else in public price lists. Callers may ask for any model, but the number of
   * these names is bounded. Undefined for a model that is in none, and before prices are known.
   */
  listedModel(named: NamedModel): string | undefined;
}
