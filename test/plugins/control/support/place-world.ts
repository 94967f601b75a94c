import type { Store } from '../../../../plugins/control/kernel/store/store.ts';
import {
  type Asking,
  type ControlAnswer,
  firstKey,
  type ServedControl,
  type ServedControlOptions,
  serveControl,
} from './served-control.ts';
import { temporaryStore } from './temporary-store.ts';

/** A running gateway with a new store in a file. The gateway's files contain a config "shared". */
export interface PlaceWorld extends AsyncDisposable {
  readonly store: Store;
  readonly gateway: ServedControl;
  readonly admin: string;
  /** The id of the organisation. */
  readonly organisation: string;
  /** Returns a function that sends requests with a key. */
  as(key: string): (path: string, asking?: Asking) => Promise<ControlAnswer>;
  /** Creates a key, using the admin key. */
  make(body: object): Promise<{ readonly id: string; readonly key: string }>;
}

export const startPlaces = async (options: ServedControlOptions = {}): Promise<PlaceWorld> => {
  const { store, ...opened } = await temporaryStore();
  const admin = await firstKey(store);
  const gateway = await serveControl(store, { configNames: ['shared'], ...options });
  const { id } = await store.db.selectFrom('organisations').select('id').executeTakeFirstOrThrow();
  return {
    store,
    gateway,
    admin,
    organisation: id,
    as: (key) => (path, asking) => gateway.ask(path, { key, ...asking }),
    make: async (body) => {
      const json = { name: 'k', scopes: ['completions.write'], ...body };
      const { status, body: made } = await gateway.ask('/api-keys', { key: admin, json });
      if (status !== 200) throw new Error(JSON.stringify(made));
      return { id: String(made.id), key: String(made.key) };
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
    },
  };
};
