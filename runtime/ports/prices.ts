import type { SavedPrices } from '../../schema/usage/model-price.ts';
import type { Cost, UsageRecord } from '../../schema/usage/usage-record.ts';

/** The call that is priced. */
export interface PricedCall {
  readonly provider: string;
  /** The provider's name in public price lists. */
  readonly listedAs: string;
  /** The requested model. The record has the one that answered. */
  readonly model: string;
  /** The prices of the saved provider that is called. */
  readonly saved?: SavedPrices | undefined;
  /** Milliseconds since the epoch, because prices change. */
  readonly at: number;
}

/** Prices of attempts. */
export interface Prices {
  /** Resolves when prices are loaded. Undefined if they are. */
  ready(): Promise<void> | undefined;
  /** Returns undefined for a model without a known price, and before prices are loaded. */
  cost(record: UsageRecord, call: PricedCall): Cost | undefined;
}
