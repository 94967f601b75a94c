import type { SavedPrices } from '../../schema/usage/model-price.ts';
import type { Cost, UsageRecord } from '../../schema/usage/usage-record.ts';

/** The call that is priced. */
export interface PricedCall {
  readonly provider: string;
  /** The provider's name in public price lists. */
  readonly listedAs: string;
  /** The model that was requested; the record has the one that answered. */
  readonly model: string;
  /** The prices of the saved provider that is called. */
  readonly saved?: SavedPrices | undefined;
  /** Milliseconds since the epoch: prices change. */
  readonly at: number;
}

/** Prices of attempts. */
export interface Prices {
  /** Resolves when prices can be asked for; undefined if they can now. */
  ready(): Promise<void> | undefined;
  /** Undefined for a model without a known price, and before prices are ready. */
  cost(record: UsageRecord, call: PricedCall): Cost | undefined;
}
