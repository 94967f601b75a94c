/** A JSON text. */
type JsonText = string;
/** Milliseconds since the epoch. */
type Millis = number;
/** The limits that something has of its own, as JSON. */
type OwnLimitsText = JsonText;
/** 0 or 1: neither database is asked for more. */
type Flag = 0 | 1;

interface Changing {
  created_at: Millis;
  updated_at: Millis;
}

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
  /** What people see of it. */
  mask: string;
  scopes: JsonText;
  defaults: JsonText;
  status: KeyStatus;
  expires_at: Millis | null;
  /** The key before it was rotated, and until when that is accepted. */
  previous_hash: string | null;
  previous_until: Millis | null;
  rotation: JsonText | null;
  created_by: string | null;
  limits: OwnLimitsText | null;
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

export interface CollectionRow extends Changing {
  id: string;
  workspace_id: string;
  name: string;
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

export interface LabelRow extends Changing {
  id: string;
  workspace_id: string;
  name: string;
  description: string | null;
  colour: string | null;
}

export interface PromptLabelRow {
  prompt_id: string;
  label_id: string;
  workspace_id: string;
  /** The number of the version that has the label. */
  version: number;
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

export interface PolicyRow extends Changing {
  id: string;
  organisation_id: string;
  workspace_id: string;
  kind: 'usage' | 'rate';
  name: string | null;
  conditions: JsonText;
  group_by: JsonText;
  /** Of usage limits `cost` or `tokens`, of rate limits `requests` or `tokens`. */
  type: 'cost' | 'tokens' | 'requests';
  /** Of rate limits. */
  unit: 'rpm' | 'rph' | 'rpd' | null;
  /** Whole: billionths of a US dollar where the type is `cost`. */
  amount: number;
  alert_at: number | null;
  periodic_reset: 'monthly' | 'weekly' | null;
  reset_days: number | null;
  /** From when these days are counted. */
  reset_from: Millis | null;
  if_unknown: 'allow' | 'refuse';
  status: 'active' | 'archived';
}

export interface IdempotencyRow {
  workspace_id: string;
  route: string;
  key: string;
  body_hash: string;
  status: number;
  reply: JsonText;
  created_at: Millis;
}

export interface FeedRow {
  name: string;
  version: number;
}

/** When what a tenant has saved last changed. */
export interface TenantVersionRow {
  /** The id of a workspace or of an organisation; `everyTenant` for changes of which nobody said whose they are. */
  tenant: string;
  /** The version of the feed 'plans' that the change made. */
  version: number;
}

/** When the limits of a tenant last changed. */
export interface LimitVersionRow {
  /** The id of a workspace or of an organisation; `everyTenant` for changes of which nobody said whose they are. */
  tenant: string;
  /** The version of the feed 'policies' that the change made. */
  version: number;
}

export interface DataKeyRow {
  id: string;
  tenant: string;
  wrapped: JsonText;
  created_at: Millis;
  retired_at: Millis | null;
}

export interface CanaryRow {
  id: string;
  wrapped: JsonText;
}

export interface SettingRow {
  name: string;
  value: JsonText;
}

/** What was done to the store's things, or reached of a limit. */
export interface AuditRow {
  id: string;
  at: Millis;
  organisation_id: string;
  /** Absent for what concerns the whole organisation. */
  workspace_id: string | null;
  method: string;
  uri: string;
  /** The id of a key, or `gateway`. */
  actor: string;
  resource_type: string;
  action: string;
  status: number;
  client_ip: string | null;
  detail: JsonText | null;
}

/** What was used. The tokens of `input` and `output` include all others. */
interface UsedColumns {
  /** Requests of clients: each is counted with the first attempt that was sent. */
  requests: number;
  attempts: number;
  input_tokens: number;
  cache_read_tokens: number;
  cache_write_tokens: number;
  /** Of input and output. */
  audio_tokens: number;
  output_tokens: number;
  reasoning_tokens: number;
}

interface SummedColumns extends UsedColumns {
  nano_usd: number;
  /** Attempts that used something of which nobody knows a price. */
  unpriced: number;
  /** Attempts by the kind of their usage. */
  reported: number;
  partial: number;
  estimated: number;
  none: number;
}

interface PlaceColumns {
  organisation_id: string;
  workspace_id: string;
}

/** Empty where there is none. */
interface DimensionColumns {
  key_id: string;
  provider: string;
  model: string;
  config: string;
}

export interface CounterColumns {
  policy: string;
  bucket: string;
  unit: 'requests' | 'tokens' | 'nanoUsd';
  /** When the window began; 0 for counters that never begin anew. */
  window_at: Millis;
  amount: number;
}

/** What one attempt used, or several that were merged while the store was away. */
export interface LedgerRow extends PlaceColumns, UsedColumns {
  id: string;
  at: Millis;
  trace: string;
  key_id: string | null;
  config: string | null;
  prompt: string | null;
  provider: string;
  slug: string | null;
  /** The model that was requested, or where the request names none, the one that answered. */
  model: string;
  answered_model: string;
  kind: 'reported' | 'partial' | 'estimated' | 'none';
  tier: string | null;
  /** Absent where nobody knows the price. */
  nano_usd: number | null;
  prices: string | null;
  metadata: JsonText;
  /** The row with the estimate, of which this one has the difference to what was used. */
  corrects: string | null;
}

export interface LedgerChargeRow extends CounterColumns {
  posting: string;
  /** Its place among the charges of the posting. */
  number: number;
  at: Millis;
}

/** The sum of the charges of one counter in one window. */
export interface CounterRow extends CounterColumns {
  /** A digest of the policy, the bucket and the unit. */
  counter: string;
}

export interface UsageHourRow extends PlaceColumns, DimensionColumns, SummedColumns {
  /** A digest of the columns that are not sums. */
  id: string;
  hour: Millis;
}

export interface UsageLabelRow extends PlaceColumns, DimensionColumns, SummedColumns {
  /** A digest of the columns that are not sums. */
  id: string;
  day: Millis;
  name: string;
  /** Empty for those that share the row of others. */
  value: string;
  /** Values that are too long, or beyond the number of different ones that a day may have. */
  is_other: Flag;
}

/** A value that a label had on a day, by a digest of both. */
export interface LabelValueRow {
  id: string;
  day: Millis;
}

/** How many different values a label had on a day. */
export interface LabelCountRow extends LabelValueRow {
  different: number;
}

/** Work that is done outside of requests. */
export interface JobRow {
  kind: string;
  id: string;
  workspace_id: string;
  payload: JsonText;
  /** When it may be begun; while somebody does it, when their lease ends. */
  due_at: Millis;
  /** Incremented whenever somebody takes it or lets it go: what was begun under another number is not committed. */
  fence: number;
  /** Whether a process does it, or did when it ended. */
  is_held: Flag;
  /** How often in a row it has failed. */
  failures: number;
  created_at: Millis;
}

/** Sealed bytes in a folder or a bucket. */
export interface BlobRow {
  id: string;
  /** The id of a workspace, which may be gone. */
  tenant: string;
  /** `loose`: nobody has noted it yet, or nobody does any more. */
  state: 'loose' | 'kept';
  since: Millis;
}

export interface FileRow {
  id: string;
  workspace_id: string;
  /** Empty until it is known. */
  purpose: string;
  filename: string;
  /** While it is uploaded, how many it may have. */
  bytes: number;
  state: 'uploading' | 'kept';
  /** Where its bytes are; absent while it is uploaded. */
  blob_id: string | null;
  blob_key: string | null;
  sha256: string | null;
  created_by: string | null;
  created_at: Millis;
  expires_at: Millis | null;
}

/** A batch that the gateway runs itself. */
export interface BatchRow {
  id: string;
  workspace_id: string;
  /** The virtual key or saved provider that its requests name. */
  slug: string;
  endpoint: string;
  completion_window: '24h' | 'immediate';
  input_file_id: string;
  status: 'validating' | 'failed' | 'in_progress' | 'finalizing' | 'completed' | 'expired' | 'cancelling' | 'cancelled';
  /** Why it ends before all lines have run. */
  ending: 'cancelled' | 'expired' | 'failed' | null;
  /** Sealed. */
  metadata: JsonText | null;
  /** How its lines are sent. */
  plan: JsonText;
  /** Who made it: a key's id, or what a token said. */
  creator: JsonText;
  errors: JsonText | null;
  /** For how long its files are kept, in milliseconds; for good if absent. */
  keep_ms: number | null;
  output_file_id: string | null;
  error_file_id: string | null;
  total: number;
  completed: number;
  failed: number;
  /** How many parts its lines are in. */
  parts: number;
  /** The jobs that still run parts. */
  lanes_left: number;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  reasoning_tokens: number;
  nano_usd: number;
  created_at: Millis;
  expires_at: Millis;
  in_progress_at: Millis | null;
  finalizing_at: Millis | null;
  completed_at: Millis | null;
  failed_at: Millis | null;
  expired_at: Millis | null;
  cancelling_at: Millis | null;
  cancelled_at: Millis | null;
}

/** Some lines of a batch, one after another. */
export interface BatchPartRow {
  batch_id: string;
  /** From 0. */
  number: number;
  /** Where they are in the input file; `to_byte` is behind the last one. */
  from_byte: number;
  to_byte: number;
  /** The number of the first one, from 1. */
  first_line: number;
  lines: number;
  /** Where their results are; absent until they have run. */
  result: JsonText | null;
}

/** An id that a provider has made for a workspace. */
export interface RemoteIdRow {
  workspace_id: string;
  kind: 'file' | 'batch' | 'fine-tuning-job' | 'response';
  remote_id: string;
  /** The saved provider or virtual key whose account has it. */
  slug: string;
  /** The id of the gateway's own thing that it stands for there; null if there is none. */
  uses: string | null;
  created_by: string | null;
  created_at: Millis;
}

/** A response of a model that is kept, with the input of its request. */
export interface ResponseRow {
  workspace_id: string;
  id: string;
  /** The response that it continues. */
  previous_id: string | null;
  /** The saved provider or virtual key that made it. */
  slug: string | null;
  /** The scope of bound values that it has without one. */
  scope: string | null;
  /** Whether its provider has it too, under the same id. */
  is_native: Flag;
  status: string;
  /** Of the response and its input, as JSON. */
  bytes: number;
  /** Sealed. */
  response: JsonText;
  /** Sealed: what the request had as its input. */
  input: JsonText;
  /** Sealed: the request of a response that is made in the background; absent for others. */
  request: JsonText | null;
  created_by: string | null;
  created_at: Millis;
  expires_at: Millis;
}

/** Some events of a response that is made in the background. */
export interface ResponseEventsRow {
  workspace_id: string;
  response_id: string;
  /** The sequence number of the first, and that behind the last. */
  number: number;
  following: number;
  /** Sealed: a list. */
  events: JsonText;
}

/** A batch that a provider runs in a form of its own, as far as the provider does not keep it. */
/** Whose a batch is that a provider runs, and what it has used. */
export interface WatchedBatchRow {
  workspace_id: string;
  /** The virtual key or saved provider whose account runs it. */
  slug: string;
  remote_id: string;
  /** What the header x-gw-virtual-key called that. */
  account: string;
  endpoint: string;
  /** The model that all of its lines ask for; null if that is not known. */
  model: string | null;
  organisation_id: string;
  key_id: string | null;
  /** The labels of the request that made it. */
  labels: JsonText;
  /** As whom the provider is asked: a key's id, or what a token said. */
  caller: JsonText;
  /** Given up: nobody could ask for its end any more. */
  state: 'watched' | 'charged' | 'given-up';
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  reasoning_tokens: number;
  nano_usd: number;
  created_at: Millis;
}

export interface ProviderBatchRow {
  workspace_id: string;
  remote_id: string;
  input_file_id: string;
  endpoint: string;
  completion_window: string;
  /** Sealed. */
  metadata: JsonText | null;
  /** Whether its results are in files of the gateway. */
  is_collected: 0 | 1;
  output_file_id: string | null;
  error_file_id: string | null;
  created_at: Millis;
}

/** The tables of the store, by name. Both databases have the same ones. */
export interface Tables {
  organisations: OrganisationRow;
  workspaces: WorkspaceRow;
  keys: KeyRow;
  integrations: IntegrationRow;
  providers: ProviderRow;
  configs: ConfigRow;
  config_versions: ConfigVersionRow;
  guardrails: GuardrailRow;
  collections: CollectionRow;
  prompts: PromptRow;
  prompt_versions: PromptVersionRow;
  labels: LabelRow;
  prompt_labels: PromptLabelRow;
  partials: PartialRow;
  partial_versions: PartialVersionRow;
  policies: PolicyRow;
  idempotency: IdempotencyRow;
  feeds: FeedRow;
  tenant_versions: TenantVersionRow;
  limit_versions: LimitVersionRow;
  data_keys: DataKeyRow;
  canary: CanaryRow;
  settings: SettingRow;
  audit_log: AuditRow;
  ledger: LedgerRow;
  ledger_charges: LedgerChargeRow;
  counters: CounterRow;
  usage_hours: UsageHourRow;
  usage_labels: UsageLabelRow;
  label_values: LabelValueRow;
  label_counts: LabelCountRow;
  blobs: BlobRow;
  files: FileRow;
  remote_ids: RemoteIdRow;
  provider_batches: ProviderBatchRow;
  watched_batches: WatchedBatchRow;
  jobs: JobRow;
  batches: BatchRow;
  batch_parts: BatchPartRow;
  responses: ResponseRow;
  response_events: ResponseEventsRow;
}

/** What processes follow: each has a version, which every change of it increments. */
export type FollowedFeed = 'keys' | 'plans' | 'policies';

/** What processes are told of: of jobs they ask for those that are due, and no version. */
export type Feed = FollowedFeed | 'jobs';
