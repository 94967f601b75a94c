import type { CounterReader } from '../../kernel/limits/counter-reader.ts';
import { limitedKey } from '../../kernel/limits/limited.ts';
import { readExhausted } from '../../kernel/limits/read-exhausted.ts';
import { findWorkspace } from '../../kernel/records/named-workspace.ts';
import { pageSchema } from '../../kernel/records/paging.ts';
import type { Reading } from '../../kernel/records/records.ts';
import { refuseFull } from '../../kernel/records/refuse-full.ts';
import { problem } from '../../kernel/requests/problem.ts';
import { toSeconds } from '../../kernel/requests/to-seconds.ts';
import { newId } from '../../kernel/store/new-id.ts';
import type { Store, Writing } from '../../kernel/store/store.ts';
import type { KeyRow } from '../../kernel/store/tables/tables.ts';
import { keyHash, keyMask, makeKeyText } from '../identity/service-keys/key-text.ts';
import { type KeyChange, validateRotation, validateUpdate } from './changed-key.ts';
import type { KeyListQuery, KeyRotationBody, KeyUpdateBody, NewKeyBody } from './key-bodies.ts';
import { actsIn, type CallerPlace, findPlace, type KeyCaller, withoutOrganisation } from './key-caller.ts';
import { changeKey, countKeys, findKey, insertKey, limitedKeys, listKeys } from './key-store.ts';
import { type KeyList, type KeyView, type MadeKey, type RotatedKey, toKeyView } from './key-view.ts';
import { lastAdminFault } from './last-admin.ts';
import { readBounds } from './maker-bounds.ts';
import { type Maker, validateNewKey } from './new-key.ts';
import { notFound, type Validated } from './validated.ts';

export interface KeyServiceOptions {
  readonly store: Store;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Whether a workspace has a config, by id or slug. It is asked in the transaction that writes the key. */
  readonly hasConfig: (db: Reading, workspace: string, name: string) => Promise<boolean>;
  /** What has been used of the limits of keys; absent where nothing is counted. */
  readonly counters?: CounterReader;
}

/** What can be done with keys: rules, then the store. Every method may reject with a `StoreError`. */
export interface KeyService {
  create(caller: KeyCaller, body: NewKeyBody): Promise<Validated<MadeKey>>;
  list(caller: KeyCaller, query?: KeyListQuery): Promise<Validated<KeyList>>;
  get(caller: KeyCaller, id: string): Promise<Validated<KeyView>>;
  update(caller: KeyCaller, id: string, body: KeyUpdateBody): Promise<Validated<KeyView>>;
  rotate(caller: KeyCaller, id: string, body?: KeyRotationBody): Promise<Validated<RotatedKey>>;
  /** Revoking a key a second time changes nothing. */
  revoke(caller: KeyCaller, id: string): Promise<Validated<KeyView>>;
}

/** What changes of a key, and what is told of it then. */
interface Changing<Result> {
  readonly change: KeyChange & Partial<KeyRow>;
  result(row: KeyRow): Result | Promise<Result>;
}

/** A key that somebody wants to change. */
interface Changed {
  readonly caller: KeyCaller;
  readonly place: CallerPlace;
  readonly id: string;
}

const endedMeanwhile: Validated<never> = {
  forbidden: [problem([], 'The key that you use was revoked, or has expired, meanwhile.', 'Use another key.')],
};

/** A key that was written, and what is told of it. */
interface Written<Result> extends Pick<Changing<Result>, 'result'> {
  readonly row: KeyRow;
}

export const createKeyService = ({ store, now, hasConfig, counters }: KeyServiceOptions): KeyService => {
  const configIn = async (db: Reading, workspace: string, name: string | undefined): Promise<boolean> =>
    name === undefined || (await hasConfig(db, workspace, name));

  /** Whoever asks, with what its key has at this moment. */
  const withBounds = async (db: Reading, { keyId }: KeyCaller, maker: Maker): Promise<Validated<Maker>> => {
    const bounds = keyId === undefined ? undefined : await readBounds(db, { id: keyId, now: now() });
    if (bounds === undefined) return { ok: maker };
    if (bounds === 'ended') return endedMeanwhile;
    const heldNow: ReadonlySet<string> = bounds.scopes;
    const scopes = new Set([...(maker.scopes ?? [])].filter((scope) => heldNow.has(scope)));
    return { ok: { ...maker, scopes, bounds } };
  };

  /** Validates a key that is in sight and writes what changes, in one transaction. */
  const changing = async <Result>(
    { caller, place: { sight, maker }, id }: Changed,
    validate: (
      row: KeyRow,
      maker: Maker,
      writing: Writing,
    ) => Validated<Changing<Result>> | Promise<Validated<Changing<Result>>>,
  ): Promise<Validated<Result>> => {
    const written = await store.write(async (writing: Writing): Promise<Validated<Written<Result>>> => {
      const row = await findKey(writing, sight, id);
      if (row === undefined) return notFound;
      const bounded = await withBounds(writing, caller, maker);
      if (!('ok' in bounded)) return bounded;
      const validated = await validate(row, bounded.ok, writing);
      if (!('ok' in validated)) return validated;
      const { change, result } = validated.ok;
      if (Object.keys(change).length === 0) return { ok: { row, result } };
      const after = { ...row, ...change };
      const conflict = await lastAdminFault(writing, { before: row, after, now: now() });
      if (conflict !== undefined) return { conflict };
      return { ok: { row: await changeKey(store, writing, { row, change, now: now() }), result } };
    });
    if (!('ok' in written)) return written;
    const { row, result } = written.ok;
    return { ok: await result(row) };
  };

  const exhausted = (rows: readonly KeyRow[]): Promise<ReadonlySet<string>> =>
    readExhausted(rows.map(limitedKey), counters);

  const view = async (row: KeyRow): Promise<KeyView> =>
    toKeyView(row, { now: now(), exhausted: await exhausted([row]) });

  return {
    async create(caller, body) {
      const place = findPlace(caller);
      if (place === undefined) return withoutOrganisation;
      const createdAt = now();
      const id = newId(createdAt);
      const key = makeKeyText(id);
      return await store.write(async (writing): Promise<Validated<MadeKey>> => {
        const bounded = await withBounds(writing, caller, place.maker);
        if (!('ok' in bounded)) return bounded;
        const maker = bounded.ok;
        const named = await findWorkspace(writing, maker.organisation, body.workspace_id ?? actsIn(caller));
        // An id that its maker does not reach is looked up like one that there is not.
        const workspace = maker.reach === 'organisation' || named === maker.workspace ? named : undefined;
        const configWorkspace = body.kind === 'organisation' ? actsIn(caller) : workspace;
        const found =
          configWorkspace !== undefined && (await configIn(writing, configWorkspace, body.defaults?.config_id));
        const facts = { now: createdAt, workspace, hasConfig: configWorkspace === undefined || found };
        const validated = validateNewKey(body, maker, facts);
        if (!('ok' in validated)) return validated;
        const owner = validated.ok.workspace_id === null ? 'organisation' : 'workspace';
        refuseFull('service keys', await countKeys(writing, validated.ok), owner);
        await insertKey(store, writing, {
          ...validated.ok,
          id,
          hash: keyHash(key),
          mask: keyMask(key),
          status: 'active',
          previous_hash: null,
          previous_until: null,
          created_by: caller.keyId ?? null,
          now: createdAt,
        });
        return { ok: { id, key, object: 'api-key' } };
      });
    },

    async list(caller, query = {}) {
      const place = findPlace(caller);
      if (place === undefined) return withoutOrganisation;
      const { page_size = pageSchema.properties.page_size.default, current_page = 0, workspace_id, status } = query;
      const { organisation } = place.sight;
      const workspace =
        workspace_id === undefined ? undefined : ((await findWorkspace(store.db, organisation, workspace_id)) ?? '');
      const isOfUse = status === 'active' || status === 'exhausted';
      const usedUp = isOfUse ? [...(await exhausted(await limitedKeys(store, place.sight)))] : [];
      const { total, rows } = await listKeys(store, place.sight, {
        filter: { workspace, status, exhausted: usedUp },
        page: { page_size, current_page },
      });
      const shown = { now: now(), exhausted: await exhausted(rows) };
      return { ok: { object: 'list', total, data: rows.map((row) => toKeyView(row, shown)) } };
    },

    async get(caller, id) {
      const place = findPlace(caller);
      if (place === undefined) return withoutOrganisation;
      const row = await findKey(store.db, place.sight, id);
      return row === undefined ? notFound : { ok: await view(row) };
    },

    async update(caller, id, body) {
      const place = findPlace(caller);
      if (place === undefined) return withoutOrganisation;
      return await changing({ caller, place, id }, async (row, maker, writing) => {
        const found = await configIn(writing, row.workspace_id ?? actsIn(caller), body.defaults?.config_id);
        const validated = validateUpdate(body, row, maker, { now: now(), hasConfig: found });
        return 'ok' in validated ? { ok: { change: validated.ok, result: view } } : validated;
      });
    },

    async rotate(caller, id, body = {}) {
      const place = findPlace(caller);
      if (place === undefined) return withoutOrganisation;
      return await changing({ caller, place, id }, (row, maker) => {
        const validated = validateRotation(body, row, maker, now());
        if (!('ok' in validated)) return validated;
        const key = makeKeyText(row.id);
        const { previousUntil, rotation } = validated.ok;
        const result = (): RotatedKey => ({
          ...{ id, key, object: 'api-key' as const },
          key_transition_expires_at: toSeconds(previousUntil),
        });
        const change = {
          ...{ hash: keyHash(key), mask: keyMask(key), rotation },
          ...{ previous_hash: row.hash, previous_until: previousUntil },
        };
        return { ok: { change, result } };
      });
    },

    async revoke(caller, id) {
      const place = findPlace(caller);
      if (place === undefined) return withoutOrganisation;
      return await changing({ caller, place, id }, (row) => ({
        ok: { change: row.status === 'revoked' ? {} : { status: 'revoked' }, result: view },
      }));
    },
  };
};
