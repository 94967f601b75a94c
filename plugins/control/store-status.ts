import type { StoreStatus } from '../sdk/control-plane/store-status.ts';
import type { ControlIdentities } from './access/identity/identities.ts';
import type { FollowedTenants } from './catalog/view/create-tenants.ts';
import type { FollowedPolicies } from './metering/policies/create-policy-view.ts';

/** Collects the store's status from those that follow it: it is as up to date as the older of the first two. */
export const storeStatus = (
  identities: Pick<ControlIdentities, 'status'>,
  tenants: Pick<FollowedTenants, 'status'>,
  policies: Pick<FollowedPolicies, 'version'>,
): StoreStatus => {
  const [keys, plans] = [identities.status(), tenants.status()];
  return {
    isUnavailable: keys.isUnavailable || plans.isUnavailable,
    feeds: { keys: keys.version, plans: plans.version, policies: policies.version() },
    unread: plans.unread,
    unreadPrompts: plans.unreadPrompts,
    confirmedAt: Math.max(0, Math.min(keys.confirmedAt, plans.confirmedAt)),
  };
};
