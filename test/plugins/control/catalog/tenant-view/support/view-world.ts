import { onTestFinished } from 'vitest';
import type { TenantsOptions } from '../../../../../../plugins/control/catalog/tenant-view/create-tenants.ts';
import type { Store } from '../../../../../../plugins/control/kernel/store/store.ts';
import type { TenantView } from '../../../../../../plugins/sdk/control-plane/tenants.ts';
import type { TenantId } from '../../../../../../plugins/sdk/exchange/exchange.ts';
import type { SecretRef } from '../../../../../../schema/plan/plan.ts';
import type { OpenAgain } from '../../../kernel/secrets/each-store.ts';
import { type FollowedStore, followedTenants } from './followed-tenants.ts';
import { type Saving, savingIn } from './saving.ts';

/** A store with two workspaces of one organisation, which processes follow. */
export interface World {
  readonly store: Store;
  readonly saving: Saving;
  readonly organisation: string;
  readonly tenant: TenantId;
  /** Another workspace of the same organisation. */
  readonly other: TenantId;
  start(options?: Partial<TenantsOptions>): Promise<FollowedStore>;
}

/** Returns the view of a tenant. Throws if the tenant has saved nothing. */
export const readView = async ({ tenants }: FollowedStore, tenant: TenantId): Promise<TenantView> => {
  const view = await tenants.view(tenant);
  if (view === undefined) throw new Error('This tenant has saved nothing.');
  return view;
};

/** Returns the API key of a saved provider or virtual key. */
export const findKey = ({ saved, secrets }: TenantView, name: string): string | undefined =>
  secrets((saved.providers[name] ?? saved.virtualKeys[name])?.credential?.api_key as SecretRef);

/** Reads and parses the text of a config. */
export const readText = async (view: TenantView, name: string): Promise<unknown> =>
  JSON.parse((await view.config(name)?.text()) ?? 'null');

/** Returns the error that a promise rejects with, or `undefined` if it does not reject. */
export const rejection = (promise: unknown): Promise<unknown> =>
  Promise.resolve(promise).then(
    () => undefined,
    (error: unknown) => error,
  );

/** The error of an unavailable store. */
export const unavailable: object = { report: { code: 'store-unavailable', status: 503 } };

/** Creates a world in a new store. */
export const newWorldIn = async (newStore: () => Promise<OpenAgain>): Promise<World> => {
  const open = await newStore();
  const store = await open();
  const saving = await savingIn(store);
  const organisation = await saving.organisation();
  const tenant = await saving.workspace(organisation);
  const other = await saving.workspace(organisation);
  return {
    ...{ store, saving, organisation, tenant, other },
    async start(options) {
      const followed = followedTenants(await open(), saving.sealer, options);
      onTestFinished(() => followed.tenants.close());
      await followed.tenants.start();
      return followed;
    },
  };
};
