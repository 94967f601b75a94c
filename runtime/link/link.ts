import type { Exchange } from '../../plugins/sdk/exchange.ts';
import type { Hooks } from '../../plugins/sdk/hooks.ts';
import type { GatewayResponse } from '../../plugins/sdk/http.ts';
import type { RoutingPlan, SecretRef } from '../../schema/plan.ts';
import type { Deadlines } from './attempt/deadlines.ts';
import { refuseAmbiguous } from './body/refuse-ambiguous.ts';
import type { Caches } from './cache/caches.ts';
import type { BackgroundHooks } from './checks/background-hooks.ts';
import { checkServices } from './checks/check-services.ts';
import type { Placeholders } from './checks/placeholders.ts';
import type { LinkContext, LinkPorts, OnLoss, PassThrough, PromptCache } from './context.ts';
import { guardCredentials } from './guard-credentials.ts';
import { LinkError } from './link-error.ts';
import type { Names } from './names.ts';
import { linkNode } from './nodes/link-node.ts';
import { createNotices } from './notices.ts';
import { type PluginHashes, planProblems } from './plan-problems.ts';
import { Run } from './run.ts';
import type { PreparedTargets } from './target/prepared-targets.ts';

export type { LinkPorts, OnLoss, PassThrough, PromptCache } from './context.ts';

export interface LinkOptions {
  readonly plan: RoutingPlan;
  readonly hooks: Hooks;
  readonly names: Names;
  readonly ports: LinkPorts;
  /** The value of a reference; resolved once, when the plan is linked. */
  readonly secrets: (ref: SecretRef) => string | undefined;
  /** Whether the plan came with a request: its hosts are then the caller's, and their connections are bounded in number. */
  readonly callerPlan?: boolean;
  /** `judged` if absent. */
  readonly passThrough?: PassThrough;
  /** `tell` if absent. */
  readonly onLoss?: OnLoss;
  /** `off` if absent. */
  readonly promptCache?: PromptCache;
  /** Whether the trail says what every attempt used; false if absent. A plugin that taps `settled` has the same effect. */
  readonly usage?: boolean;
  /** Shared by the plans of a gateway, as are the deadlines, the placeholders, the hooks in the background and the caches. */
  readonly prepared: PreparedTargets;
  readonly deadlines: Deadlines;
  readonly placeholders: Placeholders;
  readonly background: BackgroundHooks;
  readonly caches: Caches;
  /** A hint for the name of an unknown provider. */
  readonly suggestProvider: (name: string) => string;
  readonly pluginHashes: PluginHashes;
}

/** A plan as closures, built once. */
export interface LinkedPlan {
  readonly plan: RoutingPlan;
  /** Rejects with, or throws, a `GatewayError` if no branch could answer. */
  execute(exchange: Exchange): Promise<GatewayResponse>;
}

/** Builds a plan's closures. Throws a `LinkError` that lists everything that the plan needs and this gateway lacks. */
export const link = ({
  plan,
  hooks,
  names,
  ports,
  secrets,
  callerPlan = false,
  passThrough = 'judged',
  onLoss = 'tell',
  promptCache = 'off',
  usage = false,
  prepared,
  deadlines,
  placeholders,
  background,
  caches,
  suggestProvider,
  pluginHashes,
}: LinkOptions): LinkedPlan => {
  const problems = planProblems(plan, names, { secrets, pluginHashes });
  if (problems.length > 0) throw new LinkError(plan.name, problems);
  const notices = createNotices(hooks);
  const resolved = new Map(plan.requires.secrets.map((ref) => [ref, secrets(ref)]));
  const context: LinkContext = {
    plan,
    hooks,
    ports,
    names,
    notices,
    secrets: (ref) => resolved.get(ref),
    prepared,
    deadlines,
    caches,
    services: checkServices({ ports, deadlines, placeholders, callerPlan }),
    checks: new Map(),
    background,
    callerPlan,
    passThrough,
    onLoss,
    promptCache,
    metersAll: usage || hooks.settled.isUsed(),
    suggestProvider,
  };
  const root = linkNode(plan.root, context);
  const guard = guardCredentials(plan);
  return {
    plan,
    execute(exchange) {
      guard(exchange);
      if (plan.readsParams) refuseAmbiguous(exchange);
      const { dialect } = exchange.route;
      const client = dialect === undefined ? undefined : names.dialect(dialect);
      if (!(client instanceof Promise)) return root.execute(new Run(exchange, client));
      return client.then((loaded) => root.execute(new Run(exchange, loaded)));
    },
  };
};
