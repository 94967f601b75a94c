import type { Hedge } from '../config/hedge.ts';
import type { MissingName } from '../config/saved-names.ts';
import type { SecretOwner } from '../config/trust.ts';
import type { Diagnostic } from '../errors/diagnostic.ts';
import type { StatusRule } from '../http/status.ts';
import type { ContentHash } from '../json/canonical.ts';
import type { JsonObject, NonEmptyArray } from '../json/json.ts';
import type { JsonPointer } from '../json/pointer.ts';
import type { Condition } from './condition.ts';
import type { RequestBounds } from './request-bounds.ts';
import { longestRetryMs } from './schedule.ts';
import type { TargetSettings } from './target-settings.ts';

/** The plan format that this build writes and runs. Plans in other formats are rejected. */
export const planFormat = 1;

/** A checked, optimised routing plan: plain data, canonical JSON, no functions and no secrets. */
export interface RoutingPlan extends RequestBounds {
  readonly format: typeof planFormat;
  /** The config's `name`, or the file's name without its extension; `header` for a config from a header. */
  readonly name: string;
  /** The hash of everything here except `name`, `hash` and `sources` (`hashPlan`). */
  readonly hash: ContentHash;
  readonly sources: readonly PlanSource[];
  readonly requires: Requirements;
  readonly bounds: Bounds;
  /** Whether a condition reads `params`, so that the client's body must be JSON. */
  readonly readsParams: boolean;
  readonly targets: readonly Target[];
  readonly root: PlanNode;
}

export interface PlanSource {
  readonly file: string;
  readonly hash: ContentHash;
}

/** The things that must be present before the plan can be linked; the runtime lists what is missing. */
export interface Requirements {
  /** Plan features beyond the first format, by name: `breaker`, `retry`, `input-checks`, … (sorted). */
  readonly features: readonly string[];
  readonly plugins: PluginNeeds;
  readonly secrets: readonly SecretRef[];
  /** Hosts (`name:port`) of every target whose host is known before a request, sorted. */
  readonly hosts: readonly string[];
}

/** Ids of what plugins must provide, each list sorted. */
export interface PluginNeeds {
  readonly providers: readonly string[];
  readonly checks: readonly string[];
  readonly caches: readonly string[];
  /** Absent if there are none. */
  readonly choosers?: readonly string[];
  /** The hashes of the files of plugins that do not come with the gateway, by the plugin's name; absent if there are none. */
  readonly integrity?: { readonly [plugin: string]: ContentHash };
}

/**
 * A reference to a secret: `${env:NAME}` or `${file:/absolute/path}`, as people write them, or `${saved:table/id/field}` for a
 * secret that a tenant has saved, which nobody can write.
 */
export type SecretRef = `\${env:${string}}` | `\${file:${string}}` | SavedRef;

/** The place of a secret in the store. */
export type SavedRef = `\${saved:${string}}`;

/** The worst-case costs of a plan. */
export interface Bounds {
  /**
   * The most upstream calls of one request, with those of its copies. The parts of a list of texts that is too long for one call
   * count as one.
   */
  readonly calls: number;
  /**
   * The longest time until a response begins, in milliseconds, if every attempt times out and every wait has its longest time; at
   * most the deadline.
   */
  readonly waitMs: number;
  /** Ids of the targets that a request can reach, sorted. Those of mirrors, which do not respond to clients, are not included. */
  readonly targets: readonly string[];
}

export type PlanNode = LoadbalanceNode | FallbackNode | ConditionalNode | LeafNode;
export type GroupNode = Exclude<PlanNode, LeafNode>;

/** The members that every node may have. */
interface Mirrored {
  /** The mirrors to which copies of its requests are sent; absent if there are none. There are several if nodes were joined. */
  readonly mirrors?: NonEmptyArray<Mirror>;
}

/** A mirror: sends a copy of some requests of a node, in the background. */
export interface Mirror {
  /** The node for which the config specifies it. */
  readonly path: JsonPointer;
  /** Above 0 and at most 100. Only the first four decimals count. */
  readonly percent: number;
  /** The leaf that is called once for each copy. It has no stages except checks of its response. */
  readonly leaf: LeafNode;
}

/** The plan feature of mirrors. A gateway that does not know them would send no copies. */
export const mirrorFeature = 'mirror';

/** Whether a value is the percentage of a mirror. */
export const isMirrorPercent = (percent: unknown): percent is number =>
  typeof percent === 'number' && percent >= 0.0001 && percent <= 100;

export interface LoadbalanceNode extends Mirrored {
  readonly kind: 'loadbalance';
  readonly path: JsonPointer;
  /** The config's own name, for display; the plan has the root's. */
  readonly name?: string;
  /** The id of the chooser; branches are drawn by weight if absent. */
  readonly balance?: string;
  readonly sticky?: Sticky;
  readonly require?: RequiredAbility;
  readonly branches: NonEmptyArray<WeightedBranch>;
}

/** The setting that sends requests with the same key to the same branch of a load balance. */
export interface Sticky {
  /** Where their key is: `metadata.<name>`, `user` or `prompt-prefix`. */
  readonly by: string;
  /** How long a key stays with a branch other than the one that the weights assign to it, since its last request. */
  readonly ttlS: number;
}

/** The default balance, for which there is no chooser. */
export const drawnByWeight = 'weight';

/** The plan features of a load balance that is more than a draw by weight. */
export const balanceFeatures = ({ balance, sticky }: LoadbalanceNode): readonly BalanceFeature[] => [
  ...(balance === undefined ? [] : (['balance'] as const)),
  ...(sticky === undefined ? [] : (['sticky'] as const)),
];

/** The plan feature of a fallback whose streams continue at another branch. */
export const continueFeature = 'continue';

/** The plan features of a fallback that does more than try its branches in order. */
export const fallbackFeatures = ({ continues, hedge }: FallbackNode): readonly string[] => [
  ...(continues === true ? [continueFeature] : []),
  ...(hedge === undefined ? [] : [hedgeFeature]),
];

export type BalanceFeature = 'balance' | 'sticky';

/** All features of load balances. */
export const balanceFeatureNames: readonly BalanceFeature[] = ['balance', 'sticky'];

/** A branch of a load balance; the weight is a whole number of at least 0, and the sum is a safe integer above 0. */
export interface WeightedBranch {
  readonly weight: number;
  readonly node: PlanNode;
}

/**
 * A requirement on the branches of a group to which a request may be sent: that they can do everything that the request needs.
 */
export type RequiredAbility = 'capabilities';

/** The plan feature of a group that skips branches that are unable to serve a request. */
export const requireFeature = 'require';

export interface FallbackNode extends Mirrored {
  readonly kind: 'fallback';
  readonly path: JsonPointer;
  /** The config's own name, for display; the plan has the root's. */
  readonly name?: string;
  /** The responses that make it try the next branch. */
  readonly on: StatusRule;
  /** Whether a stream that breaks after its first content continues at the next branch. If absent, it ends with an error. */
  readonly continues?: true;
  readonly require?: RequiredAbility;
  /** If absent, branches are called one at a time. */
  readonly hedge?: Hedge;
  readonly branches: NonEmptyArray<PlanNode>;
}

/** The plan feature of a fallback with a hedge. A gateway that does not know it would call the branches one at a time. */
export const hedgeFeature = 'hedge';

export interface ConditionalNode extends Mirrored {
  readonly kind: 'conditional';
  readonly path: JsonPointer;
  /** The config's own name, for display; the plan has the root's. */
  readonly name?: string;
  readonly branches: NonEmptyArray<PlanNode>;
  /** The first case whose condition matches selects its branch (an index into `branches`). */
  readonly cases: readonly ConditionalCase[];
  readonly otherwise: number;
}

export interface ConditionalCase {
  readonly when: Condition;
  readonly branch: number;
}

/** A node of a plan that calls one target through its stages. */
export interface LeafNode extends Mirrored {
  readonly kind: 'leaf';
  readonly path: JsonPointer;
  /** The hash of the target (without its id) and the stages: the key of the leaf's state across plans. */
  readonly hash: ContentHash;
  /** Index into the plan's `targets`. */
  readonly target: number;
  /** From the outermost to the innermost, in the order of `stageOrder`, each kind at most once. */
  readonly stages: readonly Stage[];
  readonly needs: Needs;
}

export type Stage = BreakerStage | InputChecksStage | CacheStage | RetryStage | OutputChecksStage;
export type StageKind = Stage['kind'];
export type StageOf<Kind extends StageKind> = Extract<Stage, { kind: Kind }>;

/** The requirements of a stage on bodies and time. */
interface StageRow<Kind extends StageKind> {
  readonly reads: readonly ('request' | 'answer')[];
  /** Whether its check results are added to the response, unless all of its checks run in the background. */
  readonly addsResults?: true;
  /** Returns the longest time by which its own waits can delay a response. The time that checks take is not known. */
  longestMs(stage: StageOf<Kind>): number;
}

const none = (): number => 0;

/** One row for each kind of stage, from the outermost to the innermost around a leaf's attempts. Plans must use this order. */
export const stageTable: { readonly [Kind in StageKind]: StageRow<Kind> } = {
  breaker: { reads: [], longestMs: none },
  'input-checks': { reads: ['request'], addsResults: true, longestMs: none },
  cache: { reads: ['request', 'answer'], longestMs: none },
  retry: { reads: [], longestMs: longestRetryMs },
  'output-checks': { reads: ['request', 'answer'], longestMs: none },
};

/** Returns the longest time by which a stage's own waits can delay a response, in milliseconds. */
export const longestStageMs = <Kind extends StageKind>(kind: Kind, stage: StageOf<Kind>): number =>
  stageTable[kind].longestMs(stage);

/** The kinds of stages, from the outermost to the innermost. Each is also the name of a plan feature. */
export const stageOrder: readonly StageKind[] = Object.keys(stageTable) as StageKind[];

/** The ways to divide the circuits of a leaf: by requested model, and by class of error. */
export const circuitDivisions = ['model', 'error'] as const;

export type CircuitDivision = (typeof circuitDivisions)[number];

export interface BreakerStage {
  readonly kind: 'breaker';
  readonly threshold: number;
  readonly cooldownMs: number;
  readonly failures: StatusRule;
  /** The divisions of its circuits, in the order of `circuitDivisions`. If absent, a leaf has one circuit. */
  readonly by?: NonEmptyArray<CircuitDivision>;
  /** The probe of whether the target works again. If absent, requests are tried at it. */
  readonly probe?: Probe;
}

/** A request that checks whether a target works again while its circuit is not closed. */
export interface Probe {
  /** A path below the provider's base URL. Its segments consist of letters, digits and `._~-`. */
  readonly path: string;
  /** Milliseconds from one probe to the next. */
  readonly everyMs: number;
}

/** The plan feature of a breaker with divided circuits. */
export const dividedBreakerFeature = 'breaker-by';

/** The plan feature of a breaker with a probe. */
export const probeFeature = 'probe';

/** The plan features of a stage beyond its kind. */
export const stageFeatures = (stage: Stage): readonly string[] =>
  stage.kind === 'breaker'
    ? [...(stage.by === undefined ? [] : [dividedBreakerFeature]), ...(stage.probe === undefined ? [] : [probeFeature])]
    : [];

export interface InputChecksStage {
  readonly kind: 'input-checks';
  readonly hooks: NonEmptyArray<CheckHook>;
}

export interface OutputChecksStage {
  readonly kind: 'output-checks';
  readonly hooks: NonEmptyArray<CheckHook>;
}

export interface CacheStage {
  readonly kind: 'cache';
  /** A mode that a plugin provides: `simple`, `semantic`. */
  readonly mode: string;
  readonly maxAgeS: number;
  /** Present if the config does not set the age, so that an organisation may have another default. */
  readonly isDefaultAge?: true;
}

export interface RetryStage {
  readonly kind: 'retry';
  /** Retries after the first attempt: 1 to 5. */
  readonly attempts: number;
  readonly on: readonly number[];
  readonly useRetryAfter: boolean;
}

/** One guardrail or hook of the config, in a common form. */
export interface CheckHook {
  readonly id: string;
  readonly type: 'guardrail' | 'mutator';
  /** Whether it runs in the background and never changes the response. */
  readonly async: boolean;
  /**
   * Whether its checks run in order until one fails. If absent, a guardrail's checks run in parallel, and all of a mutator's in
   * order.
   */
  readonly sequential?: true;
  readonly deny: { readonly onFail: boolean; readonly onSuccess: boolean };
  readonly feedback: { readonly onFail?: Feedback; readonly onSuccess?: Feedback };
  readonly checks: readonly CheckCall[];
}

export interface Feedback {
  readonly value?: number;
  readonly weight?: number;
  readonly metadata?: JsonObject;
}

export interface CheckCall {
  /** The check's id, as its plugin spells it. */
  readonly check: string;
  /** The id in the results: the one in the config, or else that of the check. */
  readonly id: string;
  /** Parameters that are valid for the check's schema, with defaults filled in. Secrets are replaced by empty strings. */
  readonly parameters: JsonObject;
  /** The secrets by their place in the parameters; absent if there are none. */
  readonly secrets?: { readonly [pointer: JsonPointer]: SecretValue };
  readonly failOnError: boolean;
  readonly timeoutMs?: number;
  /** Whether it may ask for one more attempt at a response, which `Bounds` counts. */
  readonly retries?: true;
}

/**
 * The requirements of a leaf on the bodies of requests and responses if the client and the provider use the same dialect. The
 * compiler derives them from the target and the stages, and the linker does no more than they require.
 */
export interface Needs {
  /** `pass`: bytes as received. `read`: also parsed. `edit`: parameters are replaced in the bytes. */
  readonly request: 'pass' | 'read' | 'edit';
  /** `pass`: bytes as received. `read`: the response is read as a whole, and `hook_results` may be added to it. */
  readonly answer: 'pass' | 'read';
  /** Every reason why one of them is not `pass`, for `gw explain`. */
  readonly because: readonly NeedReason[];
}

export interface NeedReason {
  readonly body: 'request' | 'answer';
  /** `prompt_id`: a target of the plan has one, and `variables` are only for it. */
  readonly setting: 'override_params' | 'model' | 'prompt_id' | StageKind;
}

/** A destination of a plan. Settings that are copied unchanged from the config are in `targetSettings`. */
export interface Target extends TargetSettings {
  /** Unique in the plan: the config's `name`, or the provider and its place. Used as the metric label. */
  readonly id: string;
  readonly from: TargetSource;
  /** The model named in `@slug/model`. */
  readonly model?: string;
  readonly credential: CredentialRef | null;
  readonly upstream: UpstreamRef;
  /** The provider's own settings, by their config field names: `resource_name`, `api_version`, … */
  readonly settings: JsonObject;
  readonly headers: HeaderRules;
  readonly params: ParamEdits;
}

export type TargetSource =
  | { readonly kind: 'inline'; readonly provider: string }
  | { readonly kind: 'saved'; readonly slug: string; readonly provider: string }
  /** A stored prompt that no longer exists. Requests get an error that says so. */
  | { readonly kind: 'prompt'; readonly promptId: string }
  /** The credential that the caller sends in its headers. */
  | { readonly kind: 'request' };

/**
 * The secret members of a target by config field name (`api_key`, …), several API keys, or the credential that the caller sends.
 */
export type CredentialRef =
  | { readonly kind: 'fields'; readonly fields: { readonly [field: string]: SecretValue } }
  | KeyPool
  | { readonly kind: 'request' };

/** Several API keys. Each attempt is sent with one of them. If `accounts` is absent, they belong to one account. */
export interface KeyPool {
  readonly kind: 'keys';
  readonly keys: NonEmptyArray<PoolKey>;
  /**
   * With `several`, a request for something that the provider stores is sent with the key that created it, or with the first key
   * if that is unknown.
   */
  readonly accounts?: 'several';
}

/** A key of a pool; the weight is a whole number of at least 0, and the sum is a safe integer above 0. */
export interface PoolKey {
  readonly apiKey: SecretValue;
  readonly weight: number;
}

/** Lists the secrets of a target's own credential; none if the request sends the credential. */
export const credentialSecrets = (credential: CredentialRef | null): readonly SecretValue[] => {
  switch (credential?.kind) {
    case 'fields':
      return Object.values(credential.fields);
    case 'keys':
      return credential.keys.map(({ apiKey }) => apiKey);
    case 'request':
    case undefined:
      return [];
  }
};

/** Lists the references among secrets. */
export const secretRefs = (secrets: readonly SecretValue[]): readonly SecretRef[] =>
  secrets.flatMap((secret) => (secret.kind === 'reference' ? [secret.ref] : []));

/** Whether a reference is to a secret that a tenant has saved, and not to one of the operator. */
export const isSavedRef = (ref: string): boolean => ref.startsWith('${saved:');

/** The plan feature of a target with several keys. A gateway that does not know it would call without any key. */
export const keyPoolFeature = 'key-pool';

/** The plan features that the credential of a target requires. */
export const credentialFeatures = ({ credential }: Pick<Target, 'credential'>): readonly string[] =>
  credential?.kind === 'keys' ? [keyPoolFeature] : [];

/**
 * `slot` is an index into the secrets that are passed separately from the plan and never written anywhere. `origin` is the text
 * that contains the secret.
 */
export type SecretValue =
  | { readonly kind: 'reference'; readonly ref: SecretRef }
  | { readonly kind: 'slot'; readonly slot: number; readonly origin: SecretOwner };

/**
 * `provider` is the provider's own base URL. `custom` replaces it entirely, including the version segment, and has no slash at
 * its end.
 */
export type UpstreamRef = { readonly kind: 'provider' } | { readonly kind: 'custom'; readonly baseUrl: string };

export interface HeaderRules {
  /** Names of client headers that are forwarded in the client's spelling. */
  readonly forward: readonly string[];
}

export interface ParamEdits {
  /** Top-level members that override those of the client's body. */
  readonly override: JsonObject;
}

/** The compiler's result for a text: diagnostics, and a plan if none of them is an error. */
export interface CompileResult {
  readonly plan?: RoutingPlan;
  /** The literal secrets of the text, in the order of their slots. Never log, hash or show them. */
  readonly secrets: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The result for a config whose text is stored. */
export interface KeptCompileResult extends CompileResult {
  /** The places of secrets, or of references to them, in the text. If it has errors, some may be missing. */
  readonly secretPlaces: readonly JsonPointer[];
  /** The names in it under which nothing is saved; incomplete if its shape is wrong. */
  readonly missing: readonly MissingName[];
}
