import type { ReferenceGuard } from '../../plugins/sdk/control-plane/reference-guard.ts';
import type { StoredPrompts } from '../../plugins/sdk/control-plane/stored-prompt.ts';
import type { Dialect } from '../../plugins/sdk/dialect/dialect.ts';
import { defaultReading, type TextReading } from '../../plugins/sdk/dialect/text-span.ts';
import type { Exchange } from '../../plugins/sdk/exchange/exchange.ts';
import type { Hooks } from '../../plugins/sdk/hooks/hooks.ts';
import type { GatewayResponse } from '../../plugins/sdk/http/http.ts';
import { whenLoaded } from '../../plugins/sdk/modules/when-loaded.ts';
import { GatewayError } from '../../schema/errors/errors.ts';
import { type CheckCall, type RoutingPlan, requireFeature, type SecretRef } from '../../schema/plan/plan.ts';
import { boundFeatures } from '../../schema/plan/request-bounds.ts';
import { CancellationSource } from '../async/cancellation-source.ts';
import type { Deadlines } from '../async/deadlines.ts';
import { refuseAmbiguous } from '../json-bodies/read/refuse-ambiguous.ts';
import type { Balances } from '../memory/balances.ts';
import type { HedgeBudgets } from '../memory/hedge-budgets.ts';
import type { KeyCoolings } from '../memory/key-coolings.ts';
import type { Probes } from '../memory/probes.ts';
import type { NamedItems, SharedNamedItems } from '../ports/named-items.ts';
import type { Caches } from './cache/caches.ts';
import type { LinkPorts, OnLoss, PassThrough, PromptCache } from './call/context.ts';
import type { LimitedRun } from './call/limited-run.ts';
import type { Mirrors } from './call/mirrors.ts';
import type { Abilities } from './call/run.ts';
import { Run } from './call/run.ts';
import { checkServices } from './checks/check-services.ts';
import type { Placeholders } from './checks/placeholders.ts';
import { guardCredentials } from './guard-credentials.ts';
import { LinkError } from './link-error.ts';
import { linkNode } from './nodes/link-node.ts';
import type { LinkedNode } from './nodes/linked-node.ts';
import { missingSecrets, type PluginHashes, planProblems, unsendableSecrets } from './plan-problems.ts';
import type { BackgroundHooks } from './plugins/background-hooks.ts';
import { createMeters } from './plugins/meters.ts';
import type { Names } from './plugins/names.ts';
import { createNotices } from './plugins/notices.ts';
import { createLeavesUnread } from './plugins/unread.ts';
import { requireStages } from './stages/link-stages.ts';
import type { PlanContext } from './stages/plan-context.ts';
import type { StageCode } from './stages/stage-code.ts';
import type { WithinBounds } from './stages/within-bounds.ts';
import type { PreparedTargets } from './target/prepared-targets.ts';

export type { LinkPorts, OnLoss, PassThrough, PromptCache } from './call/context.ts';

export interface LinkOptions {
  readonly plan: RoutingPlan;
  readonly hooks: Hooks;
  readonly names: Names;
  readonly ports: LinkPorts;
  readonly stageCode: StageCode;
  /** The value of a reference; resolved once, when the plan is linked. */
  readonly secrets: (ref: SecretRef) => string | undefined;
  /** The stored prompts that the plan names; none if absent. */
  readonly prompts?: StoredPrompts;
  /** Whether the plan came with a request: its hosts are then the caller's, and their connections are bounded in number. */
  readonly callerPlan?: boolean;
  /** The checks of the plan that a tenant added to it: their hosts are the tenant's, whoever's the plan is. */
  readonly tenantChecks?: ReadonlySet<CheckCall>;
  /** `judged` if absent. */
  readonly passThrough?: PassThrough;
  /** The only headers of clients that are passed through, in lower case; all are if absent. */
  readonly passThroughHeaders?: ReadonlySet<string> | undefined;
  /** How checks read bodies; the new turns, and all members, if absent. */
  readonly reading?: TextReading;
  /** `tell` if absent. */
  readonly onLoss?: OnLoss;
  /** `off` if absent. */
  readonly promptCache?: PromptCache;
  /** Judges what requests name in accounts that tenants share; absent where nothing is shared. */
  readonly references?: ReferenceGuard | undefined;
  /** Shared by the plans of a gateway; absent: nothing is remembered. */
  readonly namedItems?: NamedItems | SharedNamedItems;
  /** Whether the trail says what every attempt used; false if absent. A plugin that wants `usageRecorded` of every request has the same effect. */
  readonly usage?: boolean;
  /** Another number whenever a secret in a file has changed; absent: secrets are those of the first link. */
  readonly secretsVersion?: (() => number) | undefined;
  /** Whether the plan was linked before, with other secrets; false if absent. */
  readonly isRelinked?: boolean;
  /** Shared by the plans of a gateway, as are the deadlines, the placeholders, the hooks in the background and the caches. */
  readonly prepared: PreparedTargets;
  readonly deadlines: Deadlines;
  readonly placeholders: Placeholders;
  readonly background: BackgroundHooks;
  readonly caches: Caches;
  readonly balances: () => Balances;
  readonly coolings: () => KeyCoolings;
  readonly abilities: () => Abilities;
  readonly hedgeBudgets: () => HedgeBudgets;
  readonly probes: () => Probes;
  /** Ends when the plan is replaced that this one was made of; a new one if absent. */
  readonly lifetime?: CancellationSource;
  readonly mirrors: () => Mirrors;
  /** Throws `CodeNotLoaded` before the first plan or request with bounds. */
  readonly bounds: () => WithinBounds;
  /** A hint for the name of an unknown provider. */
  readonly suggestProvider: (name: string) => string;
  readonly pluginHashes: PluginHashes;
}

/** A plan as closures, built once. */
export interface LinkedPlan {
  readonly plan: RoutingPlan;
  /** Roughly the bytes of the stored prompts that it holds; none if absent. */
  readonly promptBytes?: number;
  /** Rejects with, or throws, a `GatewayError` if no branch could answer. Without `limited`, nothing is counted. */
  execute(exchange: Exchange, limited?: LimitedRun): Promise<GatewayResponse>;
  /** Links a plan that was made of this one, with the same secrets and what else holds for this one. Throws a `LinkError`. */
  relink(change: PlanChange): LinkedPlan;
  /** It is replaced, and with it those that were made of it: what it does without a request ends. */
  retire(): void;
}

/** Executes a plan for a client whose dialect is not loaded yet. */
type ExecuteLoading = (client: Promise<Dialect>, ...run: Parameters<LinkedPlan['execute']>) => Promise<GatewayResponse>;

const noPrompts: StoredPrompts = new Map();

/** A plan that was made of another by adding checks. */
export interface PlanChange extends Required<Pick<LinkOptions, 'plan' | 'tenantChecks'>> {
  /** Where references are resolved before the first plan's secrets. */
  readonly secrets: LinkOptions['secrets'];
}

const noChecks: ReadonlySet<CheckCall> = new Set();

/** Executes a tree once it is known what its targets cannot do, where a group wants to know. */
const onceAble = (
  root: LinkedNode,
  { plan, abilities }: Pick<PlanContext, 'plan' | 'abilities'>,
): LinkedNode['execute'] => {
  if (!plan.requires.features.includes(requireFeature)) return (run) => root.execute(run);
  const known = abilities();
  return (run) => known.ready(run, root.reaches(run))?.then(() => root.execute(run)) ?? root.execute(run);
};

/** Executes a plan, within bounds where it or the request has any. */
const boundedBy = (plan: RoutingPlan, execute: LinkedNode['execute'], bounds: LinkOptions['bounds']) => {
  const isBounded = boundFeatures(plan).length > 0;
  return (run: Run): Promise<GatewayResponse> => {
    const { deadlineMs, maxCostUsd } = run.exchange.overrides;
    if (!isBounded && deadlineMs === undefined && maxCostUsd === undefined) return execute(run);
    const within = whenLoaded(bounds);
    return within instanceof Promise ? within.then((loaded) => loaded(execute, run, plan)) : within(execute, run, plan);
  };
};

/** A plan with secrets in files: linked again before a request where one of them has another value than before. */
class FollowingPlan implements LinkedPlan {
  readonly plan: RoutingPlan;
  readonly #options: LinkOptions;
  readonly #version: () => number;
  /** Ends with the plan; each link of it has one of its own, which ends with that. */
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
    const { secrets } = this.#options;
    return link({
      ...this.#options,
      ...change,
      lifetime: this.#lifetime,
      isRelinked: true,
      secrets: (ref) => change.secrets(ref) ?? secrets(ref),
    });
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
      // A secret of a tenant is gone meanwhile: what was linked with it serves until its plan is replaced.
      return;
    }
    this.#values = values;
    retire();
  }
}

/**
 * Builds a plan's closures. Throws a `LinkError` that lists everything that the plan needs and this gateway lacks, or before
 * anything is built, `CodeNotLoaded` for stages whose code is not there.
 */
export const link = (options: LinkOptions): LinkedPlan => {
  const { plan, secretsVersion } = options;
  const isFollowing = secretsVersion !== undefined && plan.requires.secrets.some((ref) => ref.startsWith('${file:'));
  return isFollowing ? new FollowingPlan(options, secretsVersion) : linkNow(options);
};

/** Links the nodes of a plan. Throws a `LinkError` where a target has a credential that can never be sent. */
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
  const {
    plan,
    hooks,
    names,
    ports,
    stageCode,
    secrets,
    prompts = noPrompts,
    callerPlan = false,
    isRelinked = false,
    tenantChecks = noChecks,
    passThrough = 'judged',
    passThroughHeaders,
    reading = defaultReading,
    onLoss = 'tell',
    promptCache = 'off',
    references,
    namedItems,
    usage = false,
    prepared,
    deadlines,
    placeholders,
    background,
    caches,
    balances,
    coolings,
    abilities,
    hedgeBudgets,
    probes,
    lifetime = new CancellationSource(),
    mirrors,
    bounds,
    suggestProvider,
    pluginHashes,
  } = options;
  const problems = planProblems(plan, names, { secrets, prompts, pluginHashes });
  if (problems.length > 0) throw new LinkError(plan.name, problems, missingSecrets(plan, secrets));
  requireStages(plan, stageCode);
  if (boundFeatures(plan).length > 0) bounds();
  const notices = createNotices(hooks);
  const resolved = new Map(plan.requires.secrets.map((ref) => [ref, secrets(ref)]));
  const context: PlanContext = {
    plan,
    hooks,
    ports,
    stageCode,
    names,
    notices,
    secrets: (ref) => resolved.get(ref),
    prompts,
    prepared,
    deadlines,
    caches,
    balances,
    coolings,
    abilities,
    hedgeBudgets,
    probes,
    lifetime,
    mirrors,
    services: checkServices({ ports, deadlines, placeholders, callerPlan }),
    tenantChecks,
    tenantServices: checkServices({ ports, deadlines, placeholders, callerPlan: true }),
    checks: new Map(),
    background,
    callerPlan,
    isRelinked,
    passThrough,
    passThroughHeaders,
    onLoss,
    reading,
    promptCache,
    references,
    meters: createMeters(hooks, usage),
    leavesUnread: createLeavesUnread(hooks, usage),
    suggestProvider,
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
    relink: (change) =>
      link({
        ...options,
        ...change,
        lifetime,
        isRelinked: true,
        secrets: (ref) => change.secrets(ref) ?? secrets(ref),
      }),
    retire: () => lifetime.cancel(),
  };
};
