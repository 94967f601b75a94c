import type { StoreStatus } from '../sdk/store-status.ts';
import type { ControlIdentities } from './identity/identities.ts';
import type { FollowedTenants } from './view/create-tenants.ts';

/** What both that follow the store say of it: it is as up to date as the older of them. */
export const storeStatus = (
  identities: Pick<ControlIdentities, 'status'>,
  tenants: Pick<FollowedTenants, 'status'>,
): StoreStatus => {
  const [keys, plans] = [identities.status(), tenants.status()];
  return {
    isAway: keys.isAway || plans.isAway,
    feeds: { keys: keys.version, plans: plans.version },
    confirmedAt: Math.max(0, Math.min(keys.confirmedAt, plans.confirmedAt)),
  };
};
