import type { Dialect } from '../../plugins/sdk/dialect/dialect.ts';
import { defaultReading } from '../../plugins/sdk/dialect/text-span.ts';
import type { Exchange } from '../../plugins/sdk/exchange/exchange.ts';
import type { GatewayResponse } from '../../plugins/sdk/http/http.ts';
import { whenLoaded } from '../../plugins/sdk/loading/when-loaded.ts';
import { GatewayError } from '../../schema/errors/errors.ts';
import { type RoutingPlan, requireFeature, type SecretRef } from '../../schema/plan/plan.ts';
import { boundFeatures } from '../../schema/plan/request-bounds.ts';
import { CancellationSource } from '../async/cancellation-source.ts';
import { refuseAmbiguous } from '../json-bodies/read/refuse-ambiguous.ts';
import type { NamedItems, SharedNamedItems } from '../ports/named-items.ts';
import type { LimitedRun } from './call/limited-run.ts';
import { Run } from './call/run.ts';
import { guardCredentials } from './guard-credentials.ts';
import { checkServices } from './guardrail-checks/check-services.ts';
import type { Placeholders } from './guardrail-checks/placeholders.ts';
import { LinkError } from './link-error.ts';
import { linkNode } from './nodes/link-node.ts';
import type { LinkedNode } from './nodes/linked-node.ts';
import { missingSecrets, type PluginHashes, planProblems, unsendableSecrets } from './plan-problems.ts';
import { createMeters } from './plugins/meters.ts';
import { createNotices } from './plugins/notices.ts';
import { createLeavesUnread } from './plugins/unread.ts';
import { requireStages } from './stages/link-stages.ts';
import type { PlanContext } from './stages/plan-context.ts';
import type { WithinBounds } from './stages/within-bounds.ts';

export type { LinkPorts, OnLoss, PassThrough, PromptCache } from './call/context.ts';

/** The parts of the context that the gateway provides as they are, for each plan or for all of its plans. */
type Provided = Pick<
  PlanContext,
  | 'plan'
  | 'hooks'
  | 'names'
  | 'ports'
  | 'stageCode'
  | 'prepared'
  | 'deadlines'
  | 'background'
  | 'caches'
  | 'balances'
  | 'coolings'
  | 'abilities'
  | 'hedgeBudgets'
  | 'probes'
  | 'mirrors'
  | 'suggestProvider'
>;

/** The parts of the context that have a default. */
type Defaulted = Pick<
  PlanContext,
  | 'prompts'
  | 'callerPlan'
  | 'tenantChecks'
  | 'passThrough'
  | 'passThroughHeaders'
  | 'reading'
  | 'onLoss'
  | 'promptCache'
  | 'references'
  | 'isRelinked'
>;

const defaults: Defaulted = {
  prompts: new Map(),
  callerPlan: false,
  tenantChecks: new Set(),
  passThrough: 'judged',
  passThroughHeaders: undefined,
  reading: defaultReading,
  onLoss: 'tell',
  promptCache: 'off',
  references: undefined,
  isRelinked: false,
};

export interface LinkOptions extends Provided, Partial<Defaulted> {
  /** Returns the value of a reference. Called once, when the plan is linked. */
  readonly secrets: (ref: SecretRef) => string | undefined;
  /** Shared by the plans of a gateway. If absent, nothing is remembered. */
  readonly namedItems?: NamedItems | SharedNamedItems;
  /**
   * Whether the trail records what every attempt used (default: false). A plugin that wants `usageRecorded` of every request has
   * the same effect.
   */
  readonly usage?: boolean;
  /** A number that changes whenever a secret in a file changes. If absent, the plan keeps the secrets of the first link. */
  readonly secretsVersion?: (() => number) | undefined;
  readonly placeholders: Placeholders;
  /** Ends when the plan that this one was derived from is replaced. Default: a new lifetime. */
  readonly lifetime?: CancellationSource;
  /** Throws `CodeNotLoaded` before the first plan or request that has bounds. */
  readonly bounds: () => WithinBounds;
  readonly pluginHashes: PluginHashes;
}

/** A plan as closures, built once. */
export interface LinkedPlan {
  readonly plan: RoutingPlan;
  /** The approximate number of bytes of its stored prompts. Absent if it has none. */
  readonly promptBytes?: number;
  /** Throws a `GatewayError`, or rejects with one, if no branch could answer. Without `limited`, nothing is counted. */
  execute(exchange: Exchange, limited?: LimitedRun): Promise<GatewayResponse>;
  /** Links a plan that was derived from this one, with the same secrets and other options. Throws a `LinkError`. */
  relink(change: PlanChange): LinkedPlan;
  /** Called when the plan, and so every plan derived from it, is replaced: stops what it does without a request. */
  retire(): void;
}

/** Executes a plan for a client whose dialect is still being loaded. */
type ExecuteLoading = (client: Promise<Dialect>, ...run: Parameters<LinkedPlan['execute']>) => Promise<GatewayResponse>;

/** A plan that was derived from another by adding checks. */
export interface PlanChange extends Required<Pick<LinkOptions, 'plan' | 'tenantChecks'>> {
  /** Resolves references, before the secrets of the original plan do. */
  readonly secrets: LinkOptions['secrets'];
}

/** Returns the options of a plan that was derived from another, with the secrets of both. */
const derivedOptions = (options: LinkOptions, change: PlanChange): LinkOptions => ({
  ...options,
  ...change,
  secrets: (ref) => change.secrets(ref) ?? options.secrets(ref),
  isRelinked: true,
});

/** Executes a tree after finding out what its targets cannot do, if a group needs to know. */
const onceAble = (
  root: LinkedNode,
  { plan, abilities }: Pick<PlanContext, 'plan' | 'abilities'>,
): LinkedNode['execute'] => {
  if (!plan.requires.features.includes(requireFeature)) return (run) => root.execute(run);
  const known = abilities();
  return (run) => known.ready(run, root.reaches(run))?.then(() => root.execute(run)) ?? root.execute(run);
};

/** Executes a plan within its bounds and those of the request, if there are any. */
const boundedBy = (plan: RoutingPlan, execute: LinkedNode['execute'], bounds: LinkOptions['bounds']) => {
  const isBounded = boundFeatures(plan).length > 0;
  return (run: Run): Promise<GatewayResponse> => {
    const { deadlineMs, maxCostUsd } = run.exchange.overrides;
    if (!isBounded && deadlineMs === undefined && maxCostUsd === undefined) return execute(run);
    const within = whenLoaded(bounds);
    return within instanceof Promise ? within.then((loaded) => loaded(execute, run, plan)) : within(execute, run, plan);
  };
};

/** A plan with secrets in files. It is linked again before a request if one of the secrets has changed. */
class FollowingPlan implements LinkedPlan {
  readonly plan: RoutingPlan;
  readonly #options: LinkOptions;
  readonly #version: () => number;
  /** Ends with the plan. Each link of the plan has its own lifetime that ends with this one. */
  readonly #lifetime: CancellationSource;
  #seen: number;
  #values: readonly (string | undefined)[];
  #linked: LinkedPlan;
  #retire: () => void;

  constructor(options: LinkOptions, version: () => number) {
    this.plan = options.plan;
    this.#options = options;
    this.#version = version;
    this.#lifetime = options.lifetime ?? new CancellationSource();
    this.#seen = version();
    this.#values = this.#read();
    [this.#linked, this.#retire] = this.#link(options.isRelinked ?? false);
  }

  get promptBytes(): number {
    return this.#linked.promptBytes ?? 0;
  }

  execute(exchange: Exchange, limited?: LimitedRun): Promise<GatewayResponse> {
    if (this.#version() !== this.#seen) this.#follow();
    return this.#linked.execute(exchange, limited);
  }

  relink(change: PlanChange): LinkedPlan {
    return link({ ...derivedOptions(this.#options, change), lifetime: this.#lifetime });
  }

  retire(): void {
    this.#lifetime.cancel();
  }

  #read(): readonly (string | undefined)[] {
    return this.plan.requires.secrets.map((ref) => this.#options.secrets(ref));
  }

  #link(isRelinked: boolean): readonly [LinkedPlan, () => void] {
    const lifetime = new CancellationSource();
    const linked = linkNow({ ...this.#options, lifetime, isRelinked });
    const stop = this.#lifetime.onCancel(() => lifetime.cancel());
    return [
      linked,
      () => {
        stop();
        lifetime.cancel();
      },
    ];
  }

  #follow(): void {
    this.#seen = this.#version();
    const values = this.#read();
    if (values.every((value, at) => value === this.#values[at])) return;
    const retire = this.#retire;
    try {
      [this.#linked, this.#retire] = this.#link(true);
    } catch (error) {
      if (!(error instanceof LinkError)) throw error;
      // A tenant's secret has been removed. What was linked with it serves until its plan is replaced.
      return;
    }
    this.#values = values;
    retire();
  }
}

/**
 * Builds a plan's closures. Throws a `LinkError` that lists everything that the plan needs and this gateway lacks. Before
 * anything is built, throws `CodeNotLoaded` if the code of a stage is not loaded.
 */
export const link = (options: LinkOptions): LinkedPlan => {
  const { plan, secretsVersion } = options;
  const isFollowing = secretsVersion !== undefined && plan.requires.secrets.some((ref) => ref.startsWith('${file:'));
  return isFollowing ? new FollowingPlan(options, secretsVersion) : linkNow(options);
};

/** Links the nodes of a plan. Throws a `LinkError` if a target has a credential that can never be sent. */
const linkRoot = (context: PlanContext): LinkedNode => {
  const { plan, secrets } = context;
  try {
    return linkNode(plan.root, context);
  } catch (error) {
    if (!(error instanceof GatewayError) || error.report.code !== 'unsendable-credential') throw error;
    const unusable = unsendableSecrets(plan, secrets);
    const problems = unusable.map(({ problem }) => problem);
    throw new LinkError(plan.name, problems.length === 0 ? [error.message] : problems, unusable);
  }
};

const linkNow = (options: LinkOptions): LinkedPlan => {
  const { plan, hooks, names, ports, namedItems, usage = false, deadlines, placeholders, bounds } = options;
  const { lifetime = new CancellationSource(), ...given } = { ...defaults, ...options };
  const { secrets, prompts, callerPlan } = given;
  const problems = planProblems(plan, names, given);
  if (problems.length > 0) throw new LinkError(plan.name, problems, missingSecrets(plan, secrets));
  requireStages(plan, options.stageCode);
  if (boundFeatures(plan).length > 0) bounds();
  const resolved = new Map(plan.requires.secrets.map((ref) => [ref, secrets(ref)]));
  const context: PlanContext = {
    ...given,
    lifetime,
    secrets: (ref) => resolved.get(ref),
    notices: createNotices(hooks),
    services: checkServices({ ports, deadlines, placeholders, callerPlan }),
    tenantServices: checkServices({ ports, deadlines, placeholders, callerPlan: true }),
    checks: new Map(),
    meters: createMeters(hooks, usage),
    leavesUnread: createLeavesUnread(hooks, usage),
  };
  const root = linkRoot(context);
  const execute = boundedBy(plan, onceAble(root, context), bounds);
  const executeLoading: ExecuteLoading = async (client, exchange, limited) =>
    execute(new Run(exchange, await client, limited, namedItems));
  const guard = guardCredentials(plan, names, callerPlan);
  return {
    plan,
    promptBytes: [...prompts.values()].reduce((sum, { bytes }) => sum + bytes, 0),
    execute(exchange, limited) {
      guard(exchange);
      if (plan.readsParams) refuseAmbiguous(exchange);
      const { dialect } = exchange.route;
      const client = dialect === undefined ? undefined : names.dialect(dialect);
      return client instanceof Promise
        ? executeLoading(client, exchange, limited)
        : execute(new Run(exchange, client, limited, namedItems));
    },
    relink: (change) => link({ ...derivedOptions(options, change), lifetime }),
    retire: () => lifetime.cancel(),
  };
};
