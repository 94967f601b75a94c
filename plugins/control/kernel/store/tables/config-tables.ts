import type { Changing, Flag, JsonText, Millis, OwnLimitsText } from './columns.ts';

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
  models: JsonText;
  allow_all_models: Flag;
  /** The workspaces that may use it; absent: all. */
  workspaces: JsonText | null;
  /** The limits of its workspaces, by their ids. */
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
  /** The version in service: the newest. */
  version_id: string;
}

export interface ConfigVersionRow {
  id: string;
  config_id: string;
  workspace_id: string;
  number: number;
  /** The config, with placeholders for what is sealed. */
  text: JsonText;
  /** What is sealed, by its JSON Pointer. */
  sealed: JsonText;
  created_by: string | null;
  created_at: Millis;
}

export interface GuardrailRow extends Changing {
  id: string;
  organisation_id: string;
  /** Absent for those of an organisation. */
  workspace_id: string | null;
  slug: string;
  name: string;
  checks: JsonText;
  actions: JsonText;
  sealed: JsonText;
}

/** The tables of providers, configs and guardrails. */
export interface ConfigTables {
  integrations: IntegrationRow;
  providers: ProviderRow;
  configs: ConfigRow;
  config_versions: ConfigVersionRow;
  guardrails: GuardrailRow;
}
