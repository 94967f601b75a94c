import type { Changing, Flag, JsonText, Millis, OwnLimitsText } from './store-tables.ts';

export interface OrganisationRow extends Changing {
  id: string;
  name: string;
  settings: JsonText;
}

export interface WorkspaceRow extends Changing {
  id: string;
  organisation_id: string;
  slug: string;
  name: string;
  settings: JsonText;
  limits: OwnLimitsText | null;
}

export type KeyKind = 'organisation' | 'workspace-service' | 'workspace-user';
export type KeyStatus = 'active' | 'exhausted' | 'revoked';

export interface KeyRow extends Changing {
  id: string;
  organisation_id: string;
  /** Absent for keys of an organisation. */
  workspace_id: string | null;
  kind: KeyKind;
  user_id: string | null;
  name: string;
  /** SHA-256 of the whole key, in hexadecimal digits. */
  hash: string;
  /** The masked key shown to people. */
  mask: string;
  scopes: JsonText;
  defaults: JsonText;
  status: KeyStatus;
  expires_at: Millis | null;
  /** The hash of the key before it was rotated, and until when that key is accepted. */
  previous_hash: string | null;
  previous_until: Millis | null;
  rotation: JsonText | null;
  created_by: string | null;
  limits: OwnLimitsText | null;
}

export interface PolicyRow extends Changing {
  id: string;
  organisation_id: string;
  workspace_id: string;
  kind: 'usage' | 'rate';
  name: string | null;
  conditions: JsonText;
  group_by: JsonText;
  /** For usage limits `cost` or `tokens`; for rate limits `requests` or `tokens`. */
  type: 'cost' | 'tokens' | 'requests';
  /** Only for rate limits. */
  unit: 'rpm' | 'rph' | 'rpd' | null;
  /** A whole number: billionths of a US dollar if the type is `cost`. */
  amount: number;
  alert_at: number | null;
  periodic_reset: 'monthly' | 'weekly' | null;
  reset_days: number | null;
  /** From when these days are counted. */
  reset_from: Millis | null;
  if_unknown: 'allow' | 'refuse';
  status: 'active' | 'archived';
}

export interface IntegrationRow extends Changing {
  id: string;
  organisation_id: string;
  slug: string;
  name: string;
  provider: string;
  settings: JsonText;
  /** Sealed. */
  credential: JsonText | null;
  origins: JsonText;
  /** Sealed, except for the name and the end of the certificate. */
  tls: JsonText | null;
  models: JsonText;
  allow_all_models: Flag;
  /** The workspaces that may use it; all if absent. */
  workspaces: JsonText | null;
  /** The limits of its workspaces, by the ids of the workspaces. */
  workspace_limits: JsonText | null;
}

export interface ProviderRow extends Changing {
  id: string;
  workspace_id: string;
  slug: string;
  name: string;
  kind: 'provider' | 'virtual-key';
  integration_id: string | null;
  provider: string;
  settings: JsonText;
  /** Sealed. */
  credential: JsonText | null;
  origins: JsonText;
  /** Sealed, except for the name and the end of the certificate. */
  tls: JsonText | null;
  note: string | null;
  expires_at: Millis | null;
  status: 'active' | 'exhausted';
  limits: OwnLimitsText | null;
}

export interface ConfigRow extends Changing {
  id: string;
  workspace_id: string;
  slug: string;
  name: string;
  is_default: Flag;
  /** The version in use, which is the newest. */
  version_id: string;
}

export interface ConfigVersionRow {
  id: string;
  config_id: string;
  workspace_id: string;
  number: number;
  /** The config, with placeholders for sealed values. */
  text: JsonText;
  /** The sealed texts, by JSON Pointer. */
  sealed: JsonText;
  created_by: string | null;
  created_at: Millis;
}

export interface GuardrailRow extends Changing {
  id: string;
  organisation_id: string;
  /** Absent for policies of an organisation. */
  workspace_id: string | null;
  slug: string;
  name: string;
  checks: JsonText;
  actions: JsonText;
  sealed: JsonText;
}

export interface PromptRow extends Changing {
  id: string;
  workspace_id: string;
  slug: string;
  name: string;
  collection_id: string | null;
  /** The number of the published version. */
  published: number;
}

export interface PromptVersionRow {
  id: string;
  prompt_id: string;
  workspace_id: string;
  number: number;
  content: JsonText;
  description: string | null;
  created_by: string | null;
  created_at: Millis;
}

export interface PartialRow extends Changing {
  id: string;
  workspace_id: string;
  slug: string;
  name: string;
  published: number;
}

export interface PartialVersionRow {
  id: string;
  partial_id: string;
  workspace_id: string;
  number: number;
  text: string;
  description: string | null;
  created_by: string | null;
  created_at: Millis;
}

/** The records that were created from a folder of files. */
export interface ApplyRow {
  id: string;
  organisation_id: string;
  /** Null if a key of the organisation applied it. */
  workspace_id: string | null;
  slug: string;
  /** JSON. */
  records: string;
  created_at: number;
  updated_at: number;
}

export interface VirtualModelRow extends Changing {
  id: string;
  workspace_id: string;
  name: string;
  /** `config:SLUG`, or `@slug/model`. */
  target: string;
}

/** The tables of organisations, workspaces, keys and policies, and of everything that workspaces save. */
export interface ConfigTables {
  organisations: OrganisationRow;
  workspaces: WorkspaceRow;
  keys: KeyRow;
  policies: PolicyRow;
  integrations: IntegrationRow;
  providers: ProviderRow;
  configs: ConfigRow;
  config_versions: ConfigVersionRow;
  guardrails: GuardrailRow;
  prompts: PromptRow;
  prompt_versions: PromptVersionRow;
  labels: Changing & {
    id: string;
    workspace_id: string;
    name: string;
    description: string | null;
    colour: string | null;
  };
  prompt_labels: {
    prompt_id: string;
    label_id: string;
    workspace_id: string;
    /** The number of the version that has the label. */
    version: number;
  };
  virtual_models: VirtualModelRow;
  applies: ApplyRow;
  partials: PartialRow;
  partial_versions: PartialVersionRow;
}
