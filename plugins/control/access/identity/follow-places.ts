import type { Principal, TenantId, WorkspaceId } from '../../../sdk/exchange/exchange.ts';
import { readableSettings, type StoredSettings } from '../../kernel/records/stored-settings.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { OrganisationRow, WorkspaceRow } from '../../kernel/store/tables.ts';
import { beginning, cursorAfter, type KeyCursor } from '../keys/key-principal.ts';
import type { JwtOrganisation } from './jwt/jwt-identity.ts';
import { type JwtSettings, type JwtSettingsRules, readJwtSettings } from './jwt/read-jwt-settings.ts';

/** Gives callers what their workspace says of their requests. */
export interface PlacedCallers {
  /** The caller, with the labels of the workspace that it acts in above those of its key. */
  place(caller: Principal): Principal;
  /** The same caller in a workspace of its organisation, by id or slug; undefined if there is none. */
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

/** Callers in their workspaces, each made once for as long as neither it nor any workspace changes. */
export const placeCallers = (places: Pick<FollowedPlaces, 'version' | 'find'>): PlacedCallers => {
  let version = -1;
  let made = new WeakMap<Principal, Map<string, Principal>>();
  /** The callers as they are without a workspace's labels. */
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
      const workspace = caller.reach === 'organisation' ? find(caller, name) : undefined;
      return workspace === undefined ? undefined : placed(plain.get(caller) ?? caller, workspace);
    },
  };
};

/** A workspace as it is known. */
export interface KnownWorkspace {
  readonly id: WorkspaceId;
  /** The labels of requests in it, those of its organisation among them. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Whether responses of requests that do not say it are kept; absent where the workspace does not say it. */
  readonly keepsResponses?: boolean;
  /** Whether checks judge every turn of a request: a workspace cannot take back what its organisation says. */
  readonly judgesAllTurns: boolean;
  /** The longest age of cached answers that its organisation allows, in seconds; absent where that does not say it. */
  readonly cacheMaxAgeS?: number;
}

/** An organisation as it is known, with its workspaces by id and by slug. */
interface KnownOrganisation {
  readonly id: string;
  readonly byId: ReadonlyMap<string, KnownWorkspace>;
  readonly bySlug: ReadonlyMap<string, KnownWorkspace>;
  /** Absent if it accepts no tokens, or none by the settings that are stored. */
  readonly jwt?: JwtSettings;
}

/** In place of settings that cannot be read, with which no request to a model is served: its plans need them too. */
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
      // The ids of workspaces are what they are named by everywhere.
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

/** Reads organisations and their workspaces. Everything rejects while the store is unavailable. */
export interface PlaceReader {
  /** The organisations that changed after a cursor, or whose workspaces did, the oldest change first, at most so many. */
  organisations(after: KeyCursor, limit: number): Promise<readonly OrganisationRow[]>;
  /** All workspaces of organisations. */
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

/** The organisations and workspaces of a store as they were when the store was last asked. */
export interface FollowedPlaces {
  /**
   * Reads what changed; everything, if it is asked to, or if the version of the feed `keys` has gone back. Resolves to the
   * ids of the workspaces that were known and are gone now.
   */
  refresh(version: number, all: boolean): Promise<readonly string[]>;
  /** Increases with every change that was read. */
  version(): number;
  /** The workspace of an organisation that an id or a slug names; an id is looked for first. */
  find(organisation: string, name: string): KnownWorkspace | undefined;
  /** The organisations that accept tokens of an issuer. */
  ofIssuer(issuer: string): readonly JwtOrganisation[];
}

export interface FollowPlacesOptions {
  readonly read: PlaceReader;
  readonly rules: JwtSettingsRules;
}

/** Organisations that are read, with their workspaces, at a time. */
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

  /** Takes in all that is after the cursor; resolves to the organisations that changed. */
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

  /** The ids of the workspaces of organisations that were known before and are not now. */
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
