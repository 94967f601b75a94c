import type { Principal } from '../../../sdk/exchange/exchange.ts';
import { limitedKey, readExhausted } from '../../kernel/limits/active-policies.ts';
import type { CounterReader } from '../../kernel/limits/limit-policy.ts';
import { findWorkspace, type Reading, refuseIfFull, resourcePage } from '../../kernel/records/records.ts';
import { showRow, showRows } from '../../kernel/records/show-rows.ts';
import { type Precondition, refuseChanged } from '../../kernel/requests/precondition.ts';
import { problem } from '../../kernel/requests/problem.ts';
import { forbidden } from '../../kernel/requests/refusals.ts';
import { secondsOrNull } from '../../kernel/requests/to-seconds.ts';
import { newId } from '../../kernel/store/new-id.ts';
import type { Store, Writing } from '../../kernel/store/store.ts';
import type { KeyRow } from '../../kernel/store/tables.ts';
import { validateRotation, validateUpdate } from './changed-key.ts';
import {
  type KeyListQuery,
  type KeyRotationBody,
  type KeyUpdateBody,
  type KeyView,
  type MadeKey,
  type NewKeyBody,
  type RotatedKey,
  toKeyView,
} from './key-bodies.ts';
import type { KeyPrincipal } from './key-principal.ts';
import {
  changeKey,
  countKeys,
  getKey,
  insertKey,
  type KeySight,
  limitedKeys,
  listKeys,
  refuseLastAdmin,
} from './key-store.ts';
import { keyHash, keyMask, makeKeyText } from './key-text.ts';
import { readBounds } from './maker-bounds.ts';
import { type Maker, validateNewKey } from './new-key.ts';

export interface KeyServiceOptions {
  readonly store: Store;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Whether a workspace has a config, by id or slug. Called in the transaction that writes the key. */
  readonly hasConfig: (db: Reading, workspace: string, name: string) => Promise<boolean>;
  /** Reads the usage of the limits of keys; absent if nothing is counted. */
  readonly counters?: CounterReader;
}

/** A key as it is stored, and as it is shown. */
export interface SavedKey {
  readonly row: KeyRow;
  readonly shown: KeyView;
}

/**
 * The operations on keys: rules first, then the store. Every method may reject with a `GatewayError` or a `StoreError`. A change
 * with a precondition that the key does not meet is refused.
 */
export interface KeyService {
  create(caller: KeyCaller, body: NewKeyBody): Promise<MadeKey>;
  list(caller: KeyCaller, query: KeyListQuery): Promise<{ readonly total: number; readonly data: readonly KeyView[] }>;
  get(caller: KeyCaller, id: string): Promise<SavedKey>;
  update(caller: KeyCaller, id: string, body: KeyUpdateBody, precondition?: Precondition): Promise<SavedKey>;
  rotate(caller: KeyCaller, id: string, body?: KeyRotationBody, precondition?: Precondition): Promise<RotatedKey>;
  /** Revokes a key. Revoking it a second time changes nothing. */
  revoke(caller: KeyCaller, id: string, precondition?: Precondition): Promise<SavedKey>;
}

/** The caller: a key of the store, the bearer of a JWT, or a key of the gateway file, which has no organisation. */
type KeyCaller = Principal & Partial<Pick<KeyPrincipal, 'kind'>>;

/** Returns the scopes that a caller may grant, and the keys that it sees. */
const findPlace = ({
  organisation,
  workspace,
  reach,
  scopes,
  kind,
  userId,
}: KeyCaller): { readonly maker: Maker; readonly sight: KeySight } => {
  if (organisation === undefined || (reach !== 'organisation' && workspace === undefined))
    throw forbidden([
      problem([], 'Keys of the gateway file do not manage the keys of the store.', 'Use a key that the store has.'),
    ]);
  return {
    maker: { organisation, workspace, reach, scopes },
    sight: {
      organisation,
      workspace: reach === 'organisation' ? undefined : workspace,
      user: kind === 'workspace-user' ? userId : undefined,
    },
  };
};

/** Returns the workspace in which a caller's request acts. */
const actsIn = ({ workspace, tenant }: KeyCaller): string => workspace ?? tenant;

export const createKeyService = ({ store, now, hasConfig, counters }: KeyServiceOptions): KeyService => {
  /** Resolves to whether the config that a body names as a default exists in a workspace. */
  const hasDefault = async (db: Reading, workspace: string, { defaults }: KeyUpdateBody): Promise<boolean> =>
    defaults?.config_id === undefined || (await hasConfig(db, workspace, defaults.config_id));

  /** Adds the current bounds of its key to a maker. */
  const withBounds = async (db: Reading, { keyId }: KeyCaller, maker: Maker): Promise<Maker> => {
    const bounds = keyId === undefined ? undefined : await readBounds(db, { id: keyId, now: now() });
    if (bounds === undefined) return maker;
    const heldNow: ReadonlySet<string> = bounds.scopes;
    const scopes = new Set([...(maker.scopes ?? [])].filter((scope) => heldNow.has(scope)));
    return { ...maker, scopes, bounds };
  };

  /** Validates a change of a visible key and writes it, in one transaction. */
  const changeInSight = async (
    caller: KeyCaller,
    { id, precondition }: { readonly id: string; readonly precondition: Precondition },
    validate: (row: KeyRow, maker: Maker, writing: Writing) => Partial<KeyRow> | Promise<Partial<KeyRow>>,
  ): Promise<KeyRow> => {
    const { sight, maker } = findPlace(caller);
    return await store.write(async (writing) => {
      const row = await getKey(writing, sight, id);
      refuseChanged(row, { precondition, what: 'service key', name: id });
      const change = await validate(row, await withBounds(writing, caller, maker), writing);
      if (Object.keys(change).length === 0) return row;
      await refuseLastAdmin(writing, { before: row, after: { ...row, ...change }, now: now() });
      return await changeKey(store, writing, { row, change, now: now() });
    });
  };

  const findExhausted = (rows: readonly KeyRow[]): Promise<ReadonlySet<string>> =>
    readExhausted(rows.map(limitedKey), counters);

  const saved = async (row: KeyRow): Promise<SavedKey> => {
    const facts = { now: now(), exhausted: await findExhausted([row]) };
    return { row, shown: showRow('service key', row, (each) => toKeyView(each, facts)) };
  };

  return {
    async create(caller, body) {
      const place = findPlace(caller);
      const createdAt = now();
      const id = newId(createdAt);
      const key = makeKeyText(id);
      await store.write(async (writing) => {
        const maker = await withBounds(writing, caller, place.maker);
        const named = await findWorkspace(writing, maker.organisation, body.workspace_id ?? actsIn(caller));
        // An id that the maker cannot access is treated like one that does not exist.
        const workspace = maker.reach === 'organisation' || named === maker.workspace ? named : undefined;
        const configWorkspace = body.kind === 'organisation' ? actsIn(caller) : workspace;
        const draft = validateNewKey(body, maker, {
          now: createdAt,
          workspace,
          hasConfig: configWorkspace === undefined || (await hasDefault(writing, configWorkspace, body)),
        });
        const owner = draft.workspace_id === null ? 'organisation' : 'workspace';
        refuseIfFull('service keys', await countKeys(writing, draft), owner);
        await insertKey(store, writing, {
          ...draft,
          id,
          hash: keyHash(key),
          mask: keyMask(key),
          status: 'active',
          previous_hash: null,
          previous_until: null,
          created_by: caller.keyId ?? null,
          now: createdAt,
        });
      });
      return { object: 'api-key', id, key };
    },

    async list(caller, { workspace_id, status, search, ids, ...page }) {
      const { sight } = findPlace(caller);
      const workspace =
        workspace_id === undefined
          ? undefined
          : ((await findWorkspace(store.db, sight.organisation, workspace_id)) ?? '');
      const at = now();
      const isOfUse = status === 'active' || status === 'exhausted';
      const usedUp = isOfUse ? [...(await findExhausted(await limitedKeys(store, sight)))] : [];
      const { total, rows } = await listKeys(store, sight, {
        filter: {
          ...{ workspace, search, ids: ids?.split(',') },
          status: status && { is: status, now: at, exhausted: usedUp },
        },
        page: resourcePage(page),
      });
      const shown = { now: at, exhausted: await findExhausted(rows) };
      return { object: 'list', total, data: showRows('service key', rows, (row) => toKeyView(row, shown)) };
    },

    get: async (caller, id) => saved(await getKey(store.db, findPlace(caller).sight, id)),

    async update(caller, id, body, precondition) {
      const row = await changeInSight(caller, { id, precondition }, async (before, maker, writing) => {
        const found = await hasDefault(writing, before.workspace_id ?? actsIn(caller), body);
        return validateUpdate(body, before, maker, { now: now(), hasConfig: found });
      });
      return await saved(row);
    },

    async rotate(caller, id, body = {}, precondition) {
      const key = makeKeyText(id);
      const row = await changeInSight(caller, { id, precondition }, (before, maker) => ({
        ...validateRotation(body, before, maker, now()),
        ...{ hash: keyHash(key), mask: keyMask(key), previous_hash: before.hash },
      }));
      return { object: 'api-key', id, key, key_transition_expires_at: secondsOrNull(row.previous_until) };
    },

    async revoke(caller, id, precondition) {
      const change = ({ status }: KeyRow): Partial<KeyRow> => (status === 'revoked' ? {} : { status: 'revoked' });
      return await saved(await changeInSight(caller, { id, precondition }, change));
    },
  };
};
