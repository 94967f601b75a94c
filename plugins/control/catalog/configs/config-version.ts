import { fromJson } from '../../../../schema/json/from-json.ts';
import type { Json } from '../../../../schema/json/json.ts';
import type { RequestScope } from '../../kernel/requests/request-scope.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import { type StoredValue, sealLiterals } from '../../kernel/secrets/literals.ts';
import type { SealedAt } from '../../kernel/secrets/seal.ts';
import { newId } from '../../kernel/store/new-id.ts';
import type { Writing } from '../../kernel/store/store.ts';
import type { ConfigVersionRow } from '../../kernel/store/tables/tables.ts';
import { missingGuardrails, namedGuardrails } from '../guardrails/named-guardrails.ts';
import type { ValidatedConfig } from './validate-config.ts';

/** The caller that saves a config, and its workspace. */
export interface ConfigCaller extends RequestScope {
  readonly keyId?: string | undefined;
}

/** Gives the place at which the secrets of a version are sealed. */
const placeOfVersion = ({ workspace_id, id }: Pick<ConfigVersionRow, 'workspace_id' | 'id'>): SealedAt => ({
  tenant: workspace_id,
  table: 'config_versions',
  id,
  field: 'text',
});

/** Reads the config of a version, with placeholders for what is sealed. */
export const storedValue = (version: ConfigVersionRow): StoredValue => ({
  value: fromJson(version.text) as Json,
  sealed: fromJson(version.sealed),
  at: placeOfVersion(version),
});

export interface VersionOf {
  readonly config: string;
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** Seals the secrets of a validated config, and makes a version of it. */
export const sealedVersion = async (
  { sealer }: Pick<ControlParts, 'sealer'>,
  { value, result }: ValidatedConfig,
  { caller, version: { config, number, createdAt } }: { readonly caller: ConfigCaller; readonly version: VersionOf },
): Promise<ConfigVersionRow> => {
  const about = {
    id: newId(createdAt),
    config_id: config,
    workspace_id: caller.tenant,
    number,
    created_by: caller.keyId ?? null,
    created_at: createdAt,
  };
  const pointers = result.secretPlaces;
  const { text, sealed } = await sealLiterals(sealer, { value, pointers, at: placeOfVersion(about) });
  return { ...about, text, sealed: JSON.stringify(sealed) };
};

/** Reports whether all guardrails that a validated config names still exist. */
export const stillHolds = async (
  { overlay }: Pick<ControlParts, 'overlay'>,
  writing: Writing,
  { caller: { tenant, organisation }, value }: { readonly caller: ConfigCaller; readonly value: Json },
): Promise<boolean> => {
  const names = [...new Set(namedGuardrails(value))].filter((name) => !Object.hasOwn(overlay.saved.guardrails, name));
  return (await missingGuardrails(writing, { tenant, organisation }, names)).length === 0;
};
