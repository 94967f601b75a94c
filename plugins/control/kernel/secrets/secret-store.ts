import type { Store } from '../store/store.ts';

/** What secrets need of the store. */
export type SecretStore = Pick<Store, 'kind' | 'db' | 'write'>;
