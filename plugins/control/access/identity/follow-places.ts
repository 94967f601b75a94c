import type { Principal, TenantId, WorkspaceId } from '../../../sdk/exchange/exchange.ts';
import { readableSettings, type StoredSettings } from '../../kernel/records/stored-settings.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { OrganisationRow, WorkspaceRow } from '../../kernel/store/tables.ts';
import { beginning, cursorAfter, type KeyCursor } from '../keys/key-principal.ts';
import type { JwtOrganisation } from './jwt/jwt-identity.ts';
import { type JwtSettings, type JwtSettingsRules, readJwtSettings } from './jwt/read-jwt-settings.ts';

/** Applies the settings of a workspace to the callers that act in it. */
export interface PlacedCallers {
  /** Returns the caller with the labels of its workspace, which override those of its key. */
  place(caller: Principal): Principal;
  /**
   * Returns the same caller in a workspace of its organisation, by id or slug; undefined if there is none, or if the caller belongs
   * to another one.
   */
  findWorkspace(placed: Principal, name: string): Principal | undefined;
}

const inWorkspace = (
  caller: Principal,
  { id, metadata, keepsResponses, judgesAllTurns, cacheMaxAgeS }: KnownWorkspace,
): Principal => ({
  ...caller,
  tenant: id as string as TenantId,
  workspace: id,
  defaults: {
    ...caller.defaults,
    metadata: { ...caller.defaults?.metadata, ...metadata },
    ...(keepsResponses === undefined ? {} : { keepResponses: keepsResponses }),
    ...(judgesAllTurns && { judgedTurns: 'all' }),
    ...(cacheMaxAgeS === undefined ? {} : { cacheMaxAgeS }),
  },
});

/** Places callers in their workspaces. Each result is reused until the caller or any workspace changes. */
export const placeCallers = (places: Pick<FollowedPlaces, 'version' | 'find'>): PlacedCallers => {
  let version = -1;
  let made = new WeakMap<Principal, Map<string, Principal>>();
  /** The callers without a workspace's labels. */
  const plain = new WeakMap<Principal, Principal>();

  const placed = (caller: Principal, workspace: KnownWorkspace): Principal => {
    if (places.version() !== version) {
      version = places.version();
      made = new WeakMap();
    }
    const ofCaller = made.get(caller) ?? new Map<string, Principal>();
    made.set(caller, ofCaller);
    const known = ofCaller.get(workspace.id);
    if (known !== undefined) return known;
    const next = inWorkspace(caller, workspace);
    ofCaller.set(workspace.id, next);
    plain.set(next, caller);
    return next;
  };

  const find = ({ organisation }: Principal, name: string | undefined): KnownWorkspace | undefined =>
    organisation === undefined || name === undefined ? undefined : places.find(organisation, name);

  return {
    place(caller) {
      const workspace = find(caller, caller.workspace);
      return workspace === undefined ? caller : placed(caller, workspace);
    },
    findWorkspace(caller, name) {
      const workspace = find(caller, name);
      const isReached = caller.reach === 'organisation' || workspace?.id === caller.workspace;
      return workspace === undefined || !isReached ? undefined : placed(plain.get(caller) ?? caller, workspace);
    },
  };
};

/** A workspace as this process knows it. */
export interface KnownWorkspace {
  readonly id: WorkspaceId;
  /** The labels of requests in it, including those of its organisation. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Whether responses are kept if the request does not specify it; absent if the workspace does not specify it either. */
  readonly keepsResponses?: boolean;
  /** Whether checks evaluate every turn of a request. A workspace cannot undo the setting of its organisation. */
  readonly judgesAllTurns: boolean;
  /** The maximum age of cached answers that its organisation allows, in seconds; absent if it sets none. */
  readonly cacheMaxAgeS?: number;
}

/** An organisation as this process knows it, with its workspaces by id and by slug. */
interface KnownOrganisation {
  readonly id: string;
  readonly byId: ReadonlyMap<string, KnownWorkspace>;
  readonly bySlug: ReadonlyMap<string, KnownWorkspace>;
  /** Absent if it accepts no tokens, or if its stored settings cannot be used. */
  readonly jwt?: JwtSettings;
}

/** Used instead of settings that cannot be read. No request to a model is served with them, because its plans need them too. */
const unreadable: StoredSettings = { judged_turns: 'all' };

const toKnownOrganisation = (
  { id, settings }: OrganisationRow,
  workspaces: readonly WorkspaceRow[],
  rules: JwtSettingsRules,
): KnownOrganisation => {
  const { metadata, jwt, judged_turns: turns, cache_max_age: maxAgeS } = readableSettings(settings) ?? unreadable;
  const read = jwt === undefined ? undefined : readJwtSettings(jwt, rules);
  const known = workspaces.map((row) => {
    const own = readableSettings(row.settings) ?? unreadable;
    const workspace = {
      // A workspace is identified by its id everywhere.
      id: row.id as WorkspaceId,
      metadata: { ...metadata, ...own.metadata },
      ...(own.keep_responses === undefined ? {} : { keepsResponses: own.keep_responses }),
      judgesAllTurns: turns === 'all' || own.judged_turns === 'all',
      ...(maxAgeS === undefined ? {} : { cacheMaxAgeS: maxAgeS }),
    };
    return { slug: row.slug, workspace };
  });
  return {
    id,
    byId: new Map(known.map(({ workspace }) => [workspace.id, workspace])),
    bySlug: new Map(known.map(({ slug, workspace }) => [slug, workspace])),
    ...(read !== undefined && 'settings' in read && { jwt: read.settings }),
  };
};

/** Reads organisations and their workspaces. All methods reject while the store is unavailable. */
export interface PlaceReader {
  /** Returns the organisations that changed after a cursor, or whose workspaces did, the oldest change first, up to a limit. */
  organisations(after: KeyCursor, limit: number): Promise<readonly OrganisationRow[]>;
  /** Returns all workspaces of organisations. */
  workspaces(organisations: readonly string[]): Promise<readonly WorkspaceRow[]>;
}

export const placeReader = ({ db }: Pick<Store, 'db'>): PlaceReader => ({
  organisations: ({ at, id }, limit) =>
    db
      .selectFrom('organisations')
      .selectAll()
      .where((where) =>
        where.or([where('updated_at', '>', at), where.and([where('updated_at', '=', at), where('id', '>', id)])]),
      )
      .orderBy('updated_at')
      .orderBy('id')
      .limit(limit)
      .execute(),
  workspaces: (organisations) =>
    db.selectFrom('workspaces').selectAll().where('organisation_id', 'in', organisations).execute(),
});

/** The organisations and workspaces of a store, as of the last query. */
export interface FollowedPlaces {
  /**
   * Reads what has changed, or everything if `all` is set or the version of the feed `keys` has decreased. Resolves to the ids of
   * the workspaces that were known and no longer exist.
   */
  refresh(version: number, all: boolean): Promise<readonly string[]>;
  /** Increases with every change that was read. */
  version(): number;
  /** Returns the workspace of an organisation that an id or a slug names. Ids take precedence. */
  find(organisation: string, name: string): KnownWorkspace | undefined;
  /** Returns the organisations that accept tokens of an issuer. */
  ofIssuer(issuer: string): readonly JwtOrganisation[];
}

export interface FollowPlacesOptions {
  readonly read: PlaceReader;
  readonly rules: JwtSettingsRules;
}

/** How many organisations are read at a time, with their workspaces. */
const pageSize = 200;

const nothing = () => ({
  organisations: new Map<string, KnownOrganisation>(),
  byIssuer: new Map<string, readonly JwtOrganisation[]>(),
  cursor: beginning,
});

type Known = ReturnType<typeof nothing>;

const take = ({ organisations, byIssuer }: Known, next: KnownOrganisation): void => {
  const { id, jwt } = next;
  const before = organisations.get(id)?.jwt?.issuer;
  const others = (issuer: string): readonly JwtOrganisation[] =>
    (byIssuer.get(issuer) ?? []).filter((other) => other.id !== id);
  if (before !== undefined) byIssuer.set(before, others(before));
  if (jwt !== undefined) byIssuer.set(jwt.issuer, [...others(jwt.issuer), { id, settings: jwt }]);
  organisations.set(id, next);
};

export const followPlaces = ({ read, rules }: FollowPlacesOptions): FollowedPlaces => {
  let known = nothing();
  let feed = -1;
  let changes = 0;

  /** Reads everything after the cursor. Resolves to the organisations that changed. */
  const readOn = async (into: Known): Promise<readonly string[]> => {
    const changed: string[] = [];
    for (;;) {
      const rows = await read.organisations(into.cursor, pageSize);
      if (rows.length === 0) return changed;
      const before = into.cursor;
      const ids = rows.map(({ id }) => id);
      const workspaces = await read.workspaces(ids);
      const byOrganisation = Map.groupBy(workspaces, (row) => row.organisation_id);
      for (const row of rows) take(into, toKnownOrganisation(row, byOrganisation.get(row.id) ?? [], rules));
      into.cursor = cursorAfter(rows, before);
      changed.push(...ids);
      if (into.cursor === before) return changed;
    }
  };

  /** Returns the ids of the workspaces of organisations that were known before and no longer are. */
  const findGone = (before: Known['organisations'], now: Known['organisations'], ids: readonly string[]) =>
    ids.flatMap((id) => {
      const left = now.get(id)?.byId;
      return [...(before.get(id)?.byId.keys() ?? [])].filter((workspace) => !left?.has(workspace));
    });

  return {
    async refresh(version, all) {
      if (version === feed && !all) return [];
      const isAnew = all || version < feed;
      const before = isAnew ? known.organisations : new Map(known.organisations);
      const into = isAnew ? nothing() : known;
      const changed = await readOn(into);
      if (changed.length > 0 || isAnew) changes += 1;
      known = into;
      feed = version;
      return findGone(before, into.organisations, isAnew ? [...before.keys()] : changed);
    },
    version: () => changes,
    find(organisation, name) {
      const { byId, bySlug } = known.organisations.get(organisation) ?? {};
      return byId?.get(name) ?? bySlug?.get(name);
    },
    ofIssuer: (issuer) => known.byIssuer.get(issuer) ?? [],
  };
};
