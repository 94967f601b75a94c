import type { OwnLimitsBody } from '../policies/own-limits.ts';
import type { DestinationBody } from './destination-body.ts';

/** The body that makes a provider or a virtual key. */
export interface NewProviderBody extends DestinationBody, OwnLimitsBody {
  readonly name: string;
  readonly slug?: string;
  /** The id or slug of the integration whose credential it uses. */
  readonly integration_id?: string;
  readonly note?: string;
  /** Seconds since the epoch. */
  readonly expires_at?: number;
}

/** The body that changes one: what is absent stays, what is null is taken away. */
export interface ProviderUpdateBody extends DestinationBody, OwnLimitsBody {
  readonly name?: string;
  readonly note?: string | null;
  readonly expires_at?: number | null;
}
