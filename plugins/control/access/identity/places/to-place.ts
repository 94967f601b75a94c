import type { WorkspaceId } from '../../../../sdk/exchange/exchange.ts';
import type { OrganisationRow, WorkspaceRow } from '../../../kernel/store/tables/tables.ts';
import type { JwtSettings } from '../jwt/settings/jwt-settings.ts';
import { type JwtSettingsRules, readJwtSettings } from '../jwt/settings/read-jwt-settings.ts';
import { storedSettings } from './stored-settings.ts';

type Labels = Readonly<Record<string, string>>;

/** A workspace as it is known. */
export interface KnownWorkspace {
  readonly id: WorkspaceId;
  /** The labels of requests in it, those of its organisation among them. */
  readonly metadata: Labels;
  /** Whether responses of requests that do not say it are kept; absent where the workspace does not say it. */
  readonly keepsResponses?: boolean;
  /** Whether checks judge every turn of a request: a workspace cannot take back what its organisation says. */
  readonly judgesAllTurns: boolean;
}

/** An organisation as it is known, with its workspaces by id and by slug. */
export interface KnownOrganisation {
  readonly id: string;
  readonly byId: ReadonlyMap<string, KnownWorkspace>;
  readonly bySlug: ReadonlyMap<string, KnownWorkspace>;
  /** Absent if it accepts no tokens, or none by the settings that are stored. */
  readonly jwt?: JwtSettings;
}

const readJwt = (stored: unknown, rules: JwtSettingsRules): { readonly jwt?: JwtSettings } => {
  if (stored === undefined) return {};
  const read = readJwtSettings(stored, rules);
  return 'settings' in read ? { jwt: read.settings } : {};
};

export const toKnownOrganisation = (
  { id, settings }: OrganisationRow,
  workspaces: readonly WorkspaceRow[],
  rules: JwtSettingsRules,
): KnownOrganisation => {
  const { metadata, jwt, judged_turns: turns } = storedSettings(settings);
  const known = workspaces.map((row) => {
    const own = storedSettings(row.settings);
    const workspace = {
      // The ids of workspaces are what they are named by everywhere.
      id: row.id as WorkspaceId,
      metadata: { ...metadata, ...own.metadata },
      ...(own.keep_responses === undefined ? {} : { keepsResponses: own.keep_responses }),
      judgesAllTurns: turns === 'all' || own.judged_turns === 'all',
    };
    return { slug: row.slug, workspace };
  });
  return {
    id,
    byId: new Map(known.map(({ workspace }) => [workspace.id, workspace])),
    bySlug: new Map(known.map(({ slug, workspace }) => [slug, workspace])),
    ...readJwt(jwt, rules),
  };
};
