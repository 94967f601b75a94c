import { ensureFirst } from '../../../../plugins/control/access/keys/first-key.ts';
import type { KeyView } from '../../../../plugins/control/access/keys/key-bodies.ts';
import { type KeyPrincipal, keyReader, principalMaker } from '../../../../plugins/control/access/keys/key-principal.ts';
import { createKeyService, type KeyService } from '../../../../plugins/control/access/keys/key-service.ts';
import { keyHash } from '../../../../plugins/control/access/keys/key-text.ts';
import { newId } from '../../../../plugins/control/kernel/store/new-id.ts';
import type { Store } from '../../../../plugins/control/kernel/store/store.ts';
import { GatewayError } from '../../../../schema/errors/errors.ts';
import { temporaryStore } from './temporary-store.ts';

/** Returns the code of the error with which a promise rejects, and the error's pointers, or `ok` if it resolves. */
export const refusal = async (asked: Promise<unknown>): Promise<readonly string[]> => {
  try {
    await asked;
    return ['ok'];
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return [error.report.code, ...(error.report.errors ?? []).map(({ pointer }) => pointer)];
  }
};

/** The page of a list that a request gets by default. */
export const firstPage = { page_size: 100, current_page: 0 } as const;

/** A key service whose keys are only as they are shown. */
type ShownKeys = Omit<KeyService, 'get' | 'update' | 'revoke'> & {
  [Name in 'get' | 'update' | 'revoke']: (...args: Parameters<KeyService[Name]>) => Promise<KeyView>;
};

const shownKeys = (keys: KeyService): ShownKeys => ({
  ...keys,
  get: async (...args) => (await keys.get(...args)).shown,
  update: async (...args) => (await keys.update(...args)).shown,
  revoke: async (...args) => (await keys.revoke(...args)).shown,
});

/** A store after its first start, with a key service and a clock that the test sets. */
export interface KeyWorld extends AsyncDisposable {
  readonly store: Store;
  readonly keys: ShownKeys;
  /** Milliseconds since the epoch. */
  readonly time: { now: number };
  readonly adminKey: string;
  readonly admin: KeyPrincipal;
  /** Returns the caller with a key, as the store currently has it. */
  readCaller(key: string): Promise<KeyPrincipal>;
  /** Creates a workspace, and its organisation if that is a new one. Returns the id of the workspace. */
  addWorkspace(slug: string, organisation?: string): Promise<string>;
}

export const startTime: number = Date.UTC(2026, 0, 31);

/** Creates a store with the first key that the operator has chosen, or with a new one. */
export const keyWorld = async (chosen?: string): Promise<KeyWorld> => {
  const opened = await temporaryStore();
  const { store } = opened;
  const time = { now: startTime };
  const now = (): number => time.now;
  const keys = createKeyService({ store, now, hasConfig: async (_db, _workspace, name) => name === 'saved' });
  const first = await ensureFirst(store, { now: now(), ...(chosen === undefined ? {} : { adminKey: chosen }) });
  const adminKey = first.made === 'new' && chosen === undefined ? first.key : (chosen ?? '');
  const readCaller = async (key: string): Promise<KeyPrincipal> => {
    const record = await keyReader(store).byHash(keyHash(key));
    if (record === undefined) throw new Error('There is no such key.');
    return principalMaker()(record);
  };
  const admin = await readCaller(adminKey);
  const addWorkspace = (slug: string, organisation = admin.organisation): Promise<string> =>
    store.write(async (writing) => {
      const times = { created_at: now(), updated_at: now() };
      if (organisation !== admin.organisation)
        await writing
          .insertInto('organisations')
          .values({ id: organisation, name: slug, settings: '{}', ...times })
          .execute();
      const id = newId(now());
      await writing
        .insertInto('workspaces')
        .values({ id, organisation_id: organisation, slug, name: slug, settings: '{}', ...times })
        .execute();
      return id;
    });
  return {
    store,
    keys: shownKeys(keys),
    time,
    adminKey,
    admin,
    readCaller,
    addWorkspace,
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
};
