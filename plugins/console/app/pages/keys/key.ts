/** A rate limit of a key. */
export interface RateLimit {
  readonly type: 'requests' | 'tokens';
  readonly unit: 'rps' | 'rpm' | 'rph' | 'rpd' | 'rpw';
  readonly value: number;
}

/** A budget of a key, in US dollars or tokens. */
export interface UsageLimits {
  readonly credit_limit: number;
  readonly type: 'cost' | 'tokens';
  readonly alert_threshold?: number | null;
  readonly periodic_reset?: 'monthly' | 'weekly' | null;
  readonly periodic_reset_days?: number | null;
}

/** The members of an API key that the page shows. Times are Unix seconds. */
export interface Key {
  readonly id: string;
  readonly name: string;
  /** The masked key. */
  readonly key: string;
  readonly kind: 'organisation' | 'workspace-service' | 'workspace-user';
  readonly scopes: readonly string[];
  readonly status: 'active' | 'exhausted' | 'expired' | 'revoked';
  readonly rate_limits: readonly RateLimit[];
  readonly usage_limits: UsageLimits | null;
  readonly expires_at: number | null;
  readonly created_at: number;
}

/** Returns the path of a key in the control API. */
export const keyPath = ({ id }: Pick<Key, 'id'>): string => `/api-keys/${encodeURIComponent(id)}`;

/** The response that contains the text of a key. */
export interface ShownKey {
  readonly id: string;
  readonly key: string;
  readonly key_transition_expires_at?: number;
}
