import type { SavedProvider } from '../../../../schema/config/saved.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { RemoteKind } from './remote-ids.ts';

/** An id of a provider that a request names, and the account in which it is asked for. */
export interface AskedId {
  readonly tenant: TenantId;
  readonly kind: RemoteKind;
  readonly account: {
    /** As `RemoteId.slug` has it. */
    readonly slug: string;
    /** Absent where a config decides which account it is. */
    readonly saved?: SavedProvider;
  };
  readonly id: string;
}

/**
 * Whose an id is. `own`: the workspace has had it from the account. `elsewhere`: it has had it from another account. `unknown`:
 * no workspace is known to have it, and it goes to the provider as it is. `refused`: it does not go.
 */
export type Whose = 'own' | 'elsewhere' | 'unknown' | 'refused';

/** The ids of providers that requests may name. */
export interface AccountIds {
  /**
   * What the store does not know goes to the provider where the workspace alone reaches the account; the setting `unknown_ids`
   * of what is saved, `allow` or `refuse`, decides otherwise. What another workspace is known to have is refused in any case.
   */
  whose(asked: AskedId): Promise<Whose>;
  /** Whether a request may name an id of the account: it is `own` or `unknown`. */
  mayAsk(asked: AskedId): Promise<boolean>;
}
