import type { JwtSettingsRules } from '../jwt/settings/read-jwt-settings.ts';
import type { JwtOrganisation } from '../jwt/verifiers.ts';
import { beginning, type KeyCursor } from '../service-keys/key-reader.ts';
import type { PlaceReader } from './place-reader.ts';
import { type KnownOrganisation, type KnownWorkspace, toKnownOrganisation } from './to-place.ts';

/** The organisations and workspaces of a store as they were when the store was last asked. */
export interface FollowedPlaces {
  /** Reads what changed; everything, if it is asked to, or if the version of the feed `keys` has gone back. */
  refresh(version: number, all: boolean): Promise<void>;
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

interface Known {
  readonly organisations: Map<string, KnownOrganisation>;
  readonly byIssuer: Map<string, readonly JwtOrganisation[]>;
  cursor: KeyCursor;
}

const nothing = (): Known => ({ organisations: new Map(), byIssuer: new Map(), cursor: beginning });

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

  /** Takes in all that is after the cursor; resolves to whether that was anything. */
  const readOn = async (into: Known): Promise<boolean> => {
    for (let isChanged = false; ; isChanged = true) {
      const rows = await read.organisations(into.cursor, pageSize);
      const last = rows.at(-1);
      if (last === undefined) return isChanged;
      const workspaces = await read.workspaces(rows.map(({ id }) => id));
      const byOrganisation = Map.groupBy(workspaces, (row) => row.organisation_id);
      for (const row of rows) take(into, toKnownOrganisation(row, byOrganisation.get(row.id) ?? [], rules));
      into.cursor = { at: last.updated_at, id: last.id };
    }
  };

  return {
    async refresh(version, all) {
      if (version === feed && !all) return;
      const isAnew = all || version < feed;
      const into = isAnew ? nothing() : known;
      const isChanged = await readOn(into);
      if (isChanged || isAnew) changes += 1;
      known = into;
      feed = version;
    },
    version: () => changes,
    find(organisation, name) {
      const { byId, bySlug } = known.organisations.get(organisation) ?? {};
      return byId?.get(name) ?? bySlug?.get(name);
    },
    ofIssuer: (issuer) => known.byIssuer.get(issuer) ?? [],
  };
};
