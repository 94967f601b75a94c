import type { Principal } from '../../sdk/exchange.ts';
import type { KeyPrincipal } from '../identity/key-principal.ts';
import { newId } from '../store/new-id.ts';
import type { Store, Writing } from '../store/store.ts';
import type { KeyRow, KeyStatus } from '../store/tables.ts';
import { judgeRotation, judgeUpdate, type KeyChange } from './changed-key.ts';
import { type Judged, notFound } from './judged.ts';
import type { KeyRotationBody, KeyUpdateBody, NewKeyBody } from './key-bodies.ts';
import { changeKey, findKey, findWorkspace, insertKey, type KeySight, listKeys } from './key-store.ts';
import { keyHash, keyMask, makeKeyText } from './key-text.ts';
import { type KeyView, toKeyView, toSeconds } from './key-view.ts';
import { judgeNewKey, type Maker } from './new-key.ts';
import { type Problem, problem } from './problem.ts';

/** Who asks: a key of the store, somebody with a JWT, or a key of the gateway file, which has no organisation. */
export type KeyCaller = Principal & Partial<Pick<KeyPrincipal, 'kind'>>;

/** A key that was just made; `key` is not shown again. */
export interface MadeKey {
  readonly id: string;
  readonly key: string;
  readonly object: 'api-key';
}

export interface RotatedKey extends MadeKey {
  /** Until when the key before is accepted, in seconds since the epoch. */
  readonly key_transition_expires_at: number;
}

export interface KeyList {
  readonly object: 'list';
  readonly total: number;
  readonly data: readonly KeyView[];
}

export interface KeyListQuery {
  /** 1 to 1000; 100 if absent. */
  readonly page_size?: number;
  /** The first page is 0. */
  readonly current_page?: number;
  /** The id or slug of a workspace. */
  readonly workspace_id?: string;
  readonly status?: KeyStatus;
}

export interface KeyServiceOptions {
  readonly store: Store;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Whether a workspace has a config, by id or slug. */
  readonly hasConfig: (workspace: string, name: string) => Promise<boolean>;
}

/** What can be done with keys: rules, then the store. Every method may reject with a `StoreError`. */
export interface KeyService {
  create(caller: KeyCaller, body: NewKeyBody): Promise<Judged<MadeKey>>;
  list(caller: KeyCaller, query?: KeyListQuery): Promise<Judged<KeyList>>;
  get(caller: KeyCaller, id: string): Promise<Judged<KeyView>>;
  update(caller: KeyCaller, id: string, body: KeyUpdateBody): Promise<Judged<KeyView>>;
  rotate(caller: KeyCaller, id: string, body?: KeyRotationBody): Promise<Judged<RotatedKey>>;
  /** Revoking a key a second time changes nothing. */
  revoke(caller: KeyCaller, id: string): Promise<Judged<KeyView>>;
}

const usualPageSize = 100;
const greatestPageSize = 1000;

const withoutOrganisation: Judged<never> = {
  forbidden: [
    problem([], 'Keys of the gateway file do not manage the keys of the store.', 'Use a key that the store has.'),
  ],
};

/** A caller's place; undefined if it has none. */
const placeOf = (caller: KeyCaller): { readonly maker: Maker; readonly sight: KeySight } | undefined => {
  const { organisation, workspace, reach, scopes, kind, userId } = caller;
  if (organisation === undefined || (reach !== 'organisation' && workspace === undefined)) return undefined;
  const ownWorkspace = reach === 'organisation' ? undefined : workspace;
  return {
    maker: { organisation, workspace, reach, scopes },
    sight: { organisation, workspace: ownWorkspace, user: kind === 'workspace-user' ? userId : undefined },
  };
};

const actsIn = (caller: KeyCaller): string => caller.workspace ?? caller.tenant;

const pagingFaults = ({ page_size = usualPageSize, current_page = 0 }: KeyListQuery): readonly Problem[] => {
  const isSize = Number.isInteger(page_size) && page_size >= 1 && page_size <= greatestPageSize;
  const isPage =
    Number.isInteger(current_page) && current_page >= 0 && Number.isSafeInteger(current_page * greatestPageSize);
  const faults = [
    ...(isSize
      ? []
      : [problem(['page_size'], `A page cannot have ${page_size} keys.`, `Write 1 to ${greatestPageSize}.`)]),
    ...(isPage ? [] : [problem(['current_page'], `There is no page ${current_page}.`, 'Write 0 for the first page.')]),
  ];
  return faults.map((fault) => ({ in: 'query', ...fault }));
};

export const createKeyService = ({ store, now, hasConfig }: KeyServiceOptions): KeyService => {
  const configIn = async (workspace: string, name: string | undefined): Promise<boolean> =>
    name === undefined || (await hasConfig(workspace, name));

  /** Judges a key that is in sight and writes what changes, in one transaction. */
  const changing = <Result>(
    sight: KeySight,
    id: string,
    judge: (row: KeyRow) => Judged<{ readonly change: KeyChange & Partial<KeyRow>; result(row: KeyRow): Result }>,
  ): Promise<Judged<Result>> =>
    store.write(async (writing: Writing): Promise<Judged<Result>> => {
      const row = await findKey(writing, sight, id);
      if (row === undefined) return notFound;
      const judged = judge(row);
      if (!('ok' in judged)) return judged;
      const { change, result } = judged.ok;
      if (Object.keys(change).length === 0) return { ok: result(row) };
      return { ok: result(await changeKey(store, writing, { row, change, now: now() })) };
    });

  return {
    async create(caller, body) {
      const place = placeOf(caller);
      if (place === undefined) return withoutOrganisation;
      const { maker } = place;
      const made = now();
      const id = newId(made);
      const key = makeKeyText(id);
      const named = await findWorkspace(store.db, maker.organisation, body.workspace_id ?? actsIn(caller));
      // An id that its maker does not reach is looked up like one that there is not.
      const workspace = maker.reach === 'organisation' || named === maker.workspace ? named : undefined;
      const configOf = body.kind === 'organisation' ? actsIn(caller) : workspace;
      const found = configOf !== undefined && (await configIn(configOf, body.defaults?.config_id));
      const facts = { now: made, workspace, hasConfig: configOf === undefined || found };
      const judged = judgeNewKey(body, maker, facts);
      if (!('ok' in judged)) return judged;
      await store.write((writing) =>
        insertKey(store, writing, {
          ...judged.ok,
          id,
          hash: keyHash(key),
          mask: keyMask(key),
          status: 'active',
          previous_hash: null,
          previous_until: null,
          created_by: caller.keyId ?? null,
          now: made,
        }),
      );
      return { ok: { id, key, object: 'api-key' } };
    },

    async list(caller, query = {}) {
      const place = placeOf(caller);
      if (place === undefined) return withoutOrganisation;
      const problems = pagingFaults(query);
      if (problems.length > 0) return { problems };
      const { page_size: size = usualPageSize, current_page: page = 0, workspace_id, status } = query;
      const { organisation } = place.sight;
      const workspace =
        workspace_id === undefined ? undefined : ((await findWorkspace(store.db, organisation, workspace_id)) ?? '');
      const { total, rows } = await listKeys(store, place.sight, {
        filter: { workspace, status },
        paging: { size, page },
      });
      return { ok: { object: 'list', total, data: rows.map(toKeyView) } };
    },

    async get(caller, id) {
      const place = placeOf(caller);
      if (place === undefined) return withoutOrganisation;
      const row = await findKey(store.db, place.sight, id);
      return row === undefined ? notFound : { ok: toKeyView(row) };
    },

    async update(caller, id, body) {
      const place = placeOf(caller);
      if (place === undefined) return withoutOrganisation;
      const before = await findKey(store.db, place.sight, id);
      if (before === undefined) return notFound;
      const found = await configIn(before.workspace_id ?? actsIn(caller), body.defaults?.config_id);
      return await changing(place.sight, id, (row) => {
        const judged = judgeUpdate(body, row, place.maker, { now: now(), hasConfig: found });
        return 'ok' in judged ? { ok: { change: judged.ok, result: toKeyView } } : judged;
      });
    },

    async rotate(caller, id, body = {}) {
      const place = placeOf(caller);
      if (place === undefined) return withoutOrganisation;
      return await changing(place.sight, id, (row) => {
        const judged = judgeRotation(body, row, place.maker, now());
        if (!('ok' in judged)) return judged;
        const key = makeKeyText(row.id);
        const { previousUntil, rotation } = judged.ok;
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
      const place = placeOf(caller);
      if (place === undefined) return withoutOrganisation;
      return await changing(place.sight, id, (row) => ({
        ok: { change: row.status === 'revoked' ? {} : { status: 'revoked' }, result: toKeyView },
      }));
    },
  };
};
