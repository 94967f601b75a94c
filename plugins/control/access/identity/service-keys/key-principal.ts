import { fromJson } from '../../../../../schema/json/from-json.ts';
import type {
  KeyDefaults,
  OrganisationId,
  Principal,
  TenantId,
  WorkspaceId,
} from '../../../../sdk/exchange/exchange.ts';
import { storedLimits } from '../../../kernel/limits/own-limits.ts';
import type { Scope } from '../../../kernel/requests/scopes.ts';
import type { KeyKind, KeyRow } from '../../../kernel/store/tables/tables.ts';
import { heldScopes } from './held-scopes.ts';

/** Who calls with a service key of the store. */
export interface KeyPrincipal extends Principal {
  readonly keyId: string;
  readonly kind: KeyKind;
  readonly organisation: OrganisationId;
  readonly reach: 'workspace' | 'organisation';
  readonly scopes: ReadonlySet<Scope>;
  readonly defaults: KeyDefaults;
}

/** The record of a key with the id of the workspace `default` of its organisation. */
export interface KeyRecord extends KeyRow {
  readonly default_workspace_id: string | null;
}

/** The defaults as they are stored, and as they are on the wire. */
export interface StoredDefaults {
  readonly metadata?: Readonly<Record<string, string>>;
  readonly config_id?: string;
  readonly allow_config_override?: boolean;
}

const toDefaults = (text: string): KeyDefaults => {
  // The store has only what the rules let in.
  const { metadata, config_id, allow_config_override = true } = fromJson(text) as StoredDefaults;
  return {
    ...(metadata !== undefined && { metadata }),
    ...(config_id !== undefined && { config: config_id }),
    allowConfigOverride: allow_config_override,
  };
};

/** Makes principals of records. Keys with the same scopes share one set. */
export const principalMaker = (): ((record: KeyRecord) => KeyPrincipal) => {
  const sets = new Map<string, ReadonlySet<Scope>>();
  const toScopes = (record: KeyRecord): ReadonlySet<Scope> => {
    // What an admin key holds is not in its list alone.
    if (record.created_by === null) return new Set(heldScopes(record));
    const set = sets.get(record.scopes) ?? new Set(heldScopes(record));
    sets.set(record.scopes, set);
    return set;
  };
  return (record) => {
    // The ids of workspaces are what tenants are named by. A key of an organisation acts in its workspace `default`.
    const workspace = record.workspace_id ?? record.default_workspace_id;
    const { shares } = storedLimits(record.limits);
    return {
      tenant: (workspace ?? record.organisation_id) as TenantId,
      keyId: record.id,
      kind: record.kind,
      organisation: record.organisation_id as OrganisationId,
      ...(workspace !== null && { workspace: workspace as WorkspaceId }),
      reach: record.kind === 'organisation' ? 'organisation' : 'workspace',
      ...(record.user_id !== null && { userId: record.user_id }),
      scopes: toScopes(record),
      defaults: toDefaults(record.defaults),
      ...(shares !== undefined && { sharesLimitsOf: shares }),
    };
  };
};
