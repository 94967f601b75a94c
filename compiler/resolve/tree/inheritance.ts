import type { Config } from '../../../schema/generated/config.ts';
import type { StageKind, Target } from '../../../schema/plan/plan.ts';
import type { TargetSettingName, TargetSettings } from '../../../schema/plan/target-settings.ts';

/** Members of a target that `lower-target.ts` builds individually from one inherited setting. */
type Made = Exclude<keyof Target, TargetSettingName | 'id' | 'from' | 'model' | 'credential' | 'settings'>;

/** The settings of a target that a field of this type can become. */
type Plain<Value> = {
  [Name in TargetSettingName]: [Value] extends [NonNullable<TargetSettings[Name]>] ? Name : never;
}[TargetSettingName];

/**
 * One inherited value of a target. `merge`: member by member, with its own members winning. `replace`: its own value replaces the
 * inherited one.
 */
interface Inherited<Value> {
  readonly rule: 'merge' | 'replace';
  /** The stage or the member of a target that it becomes in a plan. A setting that nothing uses does not compile. */
  readonly becomes: StageKind | Made | Plain<Value>;
  /** The value that counts as unset, so that the inherited value applies. */
  readonly unset?: Value;
}

/** `unit`: part of `inputHooks` or `outputHooks`. `own`: not inherited. */
type Row<Value> = Inherited<Value> | 'unit' | 'own';

/** One row for every field of a config. A new field does not compile until it has a row here. */
export const inheritance = {
  override_params: { rule: 'merge', becomes: 'params' },
  retry: { rule: 'replace', becomes: 'retry' },
  cache: { rule: 'replace', becomes: 'cache' },
  cb_config: { rule: 'replace', becomes: 'breaker' },
  breaker: { rule: 'replace', becomes: 'breaker' },
  probe: { rule: 'replace', becomes: 'breaker' },
  request_timeout: { rule: 'replace', becomes: 'timeoutMs', unset: 0 },
  forward_headers: { rule: 'replace', becomes: 'headers' },
  custom_host: { rule: 'replace', becomes: 'upstream' },
  strict_llmv_compliance: { rule: 'replace', becomes: 'strict' },
  inputHooks: { rule: 'replace', becomes: 'input-checks' },
  outputHooks: { rule: 'replace', becomes: 'output-checks' },
  before_request_hooks: 'unit',
  input_guardrails: 'unit',
  after_request_hooks: 'unit',
  output_guardrails: 'unit',
  name: 'own',
  provider: 'own',
  api_key: 'own',
  keys: 'own',
  accounts: 'own',
  virtual_key: 'own',
  prompt_id: 'own',
  deadline_ms: 'own',
  max_cost_usd: 'own',
  mirror: 'own',
  weight: 'own',
  on_status_codes: 'own',
  targets: 'own',
  strategy: 'own',
  resource_name: 'own',
  deployment_id: 'own',
  api_version: 'own',
  deployments: 'own',
  llmv_organization: 'own',
  llmv_project: 'own',
  cloudc_access_key_id: 'own',
  cloudc_secret_access_key: 'own',
  cloudc_region: 'own',
  cloudc_session_token: 'own',
  cloudb_project_id: 'own',
  cloudb_region: 'own',
  cloudb_service_account_json: 'own',
  clouda_region: 'own',
  clouda_deployment_name: 'own',
  clouda_deployment_type: 'own',
  clouda_endpoint_name: 'own',
  clouda_api_version: 'own',
  clouda_resource_name: 'own',
  clouda_deployment_id: 'own',
  clouda_model_name: 'own',
  Authorization: 'own',
} as const;

inheritance satisfies { readonly [Field in keyof Required<Config>]: Row<NonNullable<Config[Field]>> } & {
  readonly [Phase in 'inputHooks' | 'outputHooks']: Inherited<never>;
};

type Table = typeof inheritance;

/** The fields that targets inherit, by their names in `Settings`. */
export type InheritedField = {
  [Field in keyof Table]: Table[Field] extends { readonly rule: string } ? Field : never;
}[keyof Table];

interface InheritedRow {
  readonly field: InheritedField;
  readonly rule: 'merge' | 'replace';
  readonly becomes: StageKind | Made | TargetSettingName;
  readonly unset?: unknown;
}

/** The rows of the fields that targets inherit. */
export const inheritedRows: readonly InheritedRow[] = Object.entries(inheritance).flatMap(([field, row]) =>
  typeof row === 'string' ? [] : [{ field: field as InheritedField, ...row }],
);
