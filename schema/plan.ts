import type { ContentHash } from './canonical.ts';
import type { Condition } from './condition.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { JsonObject, NonEmptyArray } from './json.ts';
import type { JsonPointer } from './pointer.ts';
import { longestRetryMs } from './schedule.ts';
import type { StatusRule } from './status.ts';
import type { TargetSettings } from './target-settings.ts';

/** The plan format this build writes and runs. A plan of another format is refused by name. */
export const planFormat = 1;

/** A checked, optimised routing plan: plain data, canonical JSON, no functions and no secrets. */
export interface RoutingPlan {
  readonly format: typeof planFormat;
  /** The config's `name`, or the file's name without its ending; `header` for a config that came in a header. */
  readonly name: string;
  /** Over everything here but `name`, `hash` and `sources` (`hashPlan`). */
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

/** What must be there before the plan can be linked; the runtime names whatever is missing. */
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
}

/** `${env:NAME}` or `${file:/absolute/path}`. */
export type SecretRef = `\${env:${string}}` | `\${file:${string}}`;

/** What a plan may cost at the worst. */
export interface Bounds {
  /** Most upstream calls of one request. */
  readonly calls: number;
  /** Longest time until an answer begins, in milliseconds: every attempt timing out, and the longest waits between. */
  readonly waitMs: number;
  /** Ids of the targets that some request can reach, sorted. */
  readonly targets: readonly string[];
}

export type PlanNode = LoadbalanceNode | FallbackNode | ConditionalNode | LeafNode;
export type GroupNode = Exclude<PlanNode, LeafNode>;

export interface LoadbalanceNode {
  readonly kind: 'loadbalance';
  readonly path: JsonPointer;
  /** The config's own name, for people; the plan has the root's. */
  readonly name?: string;
  readonly branches: NonEmptyArray<WeightedBranch>;
}

/** A branch of a load balance; the weight is a whole number of at least 0, and the sum is a safe integer above 0. */
export interface WeightedBranch {
  readonly weight: number;
  readonly node: PlanNode;
}

export interface FallbackNode {
  readonly kind: 'fallback';
  readonly path: JsonPointer;
  /** The config's own name, for people; the plan has the root's. */
  readonly name?: string;
  /** The answers that make it try the next branch. */
  readonly on: StatusRule;
  readonly branches: NonEmptyArray<PlanNode>;
}

export interface ConditionalNode {
  readonly kind: 'conditional';
  readonly path: JsonPointer;
  /** The config's own name, for people; the plan has the root's. */
  readonly name?: string;
  readonly branches: NonEmptyArray<PlanNode>;
  /** The first case whose condition holds chooses its branch (an index into `branches`). */
  readonly cases: readonly ConditionalCase[];
  readonly otherwise: number;
}

export interface ConditionalCase {
  readonly when: Condition;
  readonly branch: number;
}

export interface LeafNode {
  readonly kind: 'leaf';
  readonly path: JsonPointer;
  /** Over the target (without its id) and the stages: the key of the leaf's state across plans. */
  readonly hash: ContentHash;
  /** Index into the plan's `targets`. */
  readonly target: number;
  /** Outside in, in `stageOrder`, each kind at most once. */
  readonly stages: readonly Stage[];
  readonly needs: Needs;
}

export type Stage = BreakerStage | InputChecksStage | CacheStage | RetryStage | OutputChecksStage;
export type StageKind = Stage['kind'];
export type StageOf<Kind extends StageKind> = Extract<Stage, { kind: Kind }>;

/** What a stage asks of the bodies, and of time. */
interface StageRow<Kind extends StageKind> {
  readonly reads: readonly ('request' | 'answer')[];
  /** What its checks find is added to the answer, unless all of them run in the background. */
  readonly addsResults?: true;
  /** The longest that it can delay an answer by its own waits; the time that checks take is not known. */
  longestMs(stage: StageOf<Kind>): number;
}

const none = (): number => 0;

/** One row for each kind of stage, outside in around a leaf's attempts. No other order loads. */
export const stageTable: { readonly [Kind in StageKind]: StageRow<Kind> } = {
  breaker: { reads: [], longestMs: none },
  'input-checks': { reads: ['request'], addsResults: true, longestMs: none },
  cache: { reads: ['request', 'answer'], longestMs: none },
  retry: { reads: [], longestMs: longestRetryMs },
  'output-checks': { reads: ['request', 'answer'], longestMs: none },
};

/** The longest that a stage can delay an answer by its own waits, in milliseconds. */
export const longestStageMs = <Kind extends StageKind>(kind: Kind, stage: StageOf<Kind>): number =>
  stageTable[kind].longestMs(stage);

/** The kinds of stages, outside in. Each is also the name of a plan feature. */
export const stageOrder: readonly StageKind[] = Object.keys(stageTable) as StageKind[];

export interface BreakerStage {
  readonly kind: 'breaker';
  readonly threshold: number;
  readonly cooldownMs: number;
  readonly failures: StatusRule;
}

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
  readonly mode: 'simple' | 'semantic';
  readonly maxAgeS: number;
}

export interface RetryStage {
  readonly kind: 'retry';
  /** Sends after the first: 1 to 5. */
  readonly attempts: number;
  readonly on: readonly number[];
  readonly useRetryAfter: boolean;
}

/** One guardrail or hook of the config, in one shape. */
export interface CheckHook {
  readonly id: string;
  readonly type: 'guardrail' | 'mutator';
  /** Runs in the background; never changes the answer. */
  readonly async: boolean;
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
  /** The check's registered id, as its plugin spells it. */
  readonly check: string;
  /** The id the results show: the config's own, or the check's. */
  readonly id: string;
  /** Valid for the check's schema, defaults filled in. */
  readonly parameters: JsonObject;
  readonly failOnError: boolean;
  readonly timeoutMs?: number;
}

/**
 * What a leaf asks of the bodies of requests and answers, where the client and the provider speak the same dialect: the
 * compiler derives it from the target and the stages, and the linker does no more than this.
 */
export interface Needs {
  /** `pass`: bytes as received. `read`: parsed as well. `edit`: parameters are replaced in the bytes. */
  readonly request: 'pass' | 'read' | 'edit';
  /** `pass`: bytes as received. `read`: the answer is read whole, and `hook_results` may be added to it. */
  readonly answer: 'pass' | 'read';
  /** Every reason why one of them is not `pass`, for `gw explain`. */
  readonly because: readonly NeedReason[];
}

export interface NeedReason {
  readonly body: 'request' | 'answer';
  readonly setting: 'override_params' | 'model' | StageKind;
}

/** Something a plan can reach. Settings that it takes from its config as they are written are in `targetSettings`. */
export interface Target extends TargetSettings {
  /** Unique in the plan: the config's `name`, or the provider and its place. The metric label. */
  readonly id: string;
  readonly from: TargetSource;
  /** The model that `@slug/model` names. */
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
  | { readonly kind: 'prompt'; readonly promptId: string }
  /** Whatever the caller brings in its headers. */
  | { readonly kind: 'request' };

/** The secret members of a target by config field name (`api_key`, …), or the one the caller brings. */
export type CredentialRef =
  | { readonly kind: 'fields'; readonly fields: { readonly [field: string]: SecretValue } }
  | { readonly kind: 'request' };

/** `slot` is an index into the secrets that travel beside the plan; never written anywhere. */
export type SecretValue =
  | { readonly kind: 'reference'; readonly ref: SecretRef }
  | { readonly kind: 'slot'; readonly slot: number };

/** `provider` is the provider's own base URL; `custom` replaces it whole, version segment included, without a slash at its end. */
export type UpstreamRef = { readonly kind: 'provider' } | { readonly kind: 'custom'; readonly baseUrl: string };

export interface HeaderRules {
  /** Names of client headers that go upstream in the client's spelling. */
  readonly forward: readonly string[];
}

export interface ParamEdits {
  /** Laid over the client's body, a top-level member at a time. */
  readonly override: JsonObject;
}

/** What the compiler gives for a text: findings, and a plan where none of them is an error. */
export interface CompileResult {
  readonly plan?: RoutingPlan;
  /** The literal secrets of a header config, in the order of their slots. Never log, hash or show them. */
  readonly secrets: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}
