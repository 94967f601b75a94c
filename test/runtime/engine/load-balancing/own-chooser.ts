import {
  type Chooser,
  type ChooserOutcome,
  type ChooserServices,
  type ChooserTarget,
  defineChooser,
} from '../../../../plugins/sdk/chooser/chooser.ts';
import { definePlugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import { isNonEmpty, type JsonObject } from '../../../../schema/json/json.ts';
import type { LoadbalanceNode, RoutingPlan, WeightedBranch } from '../../../../schema/plan/plan.ts';
import { type ConfigWorld, type RunningConfig, runConfig } from '../../../support/in-process/run-config.ts';
import { stubAnswer } from '../../../support/in-process/stub-upstreams.ts';

/** A chat request without a user. */
export const question: JsonObject = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
/** A target with a host of its own. */
export const at = (host: string, more: JsonObject = {}): JsonObject => ({
  ...{ provider: 'openai', api_key: '${env:KEY}', custom_host: `https://${host}.example` },
  ...more,
});
/** The same, with a circuit that opens at the first error. */
export const breaking = (host: string): JsonObject =>
  at(host, { cb_config: { failure_threshold: 1, cooldown_interval: 30_000 } });
/** A load balance whose chooser is the one of `running`. */
export const balance = (...targets: readonly JsonObject[]): JsonObject => ({
  strategy: { mode: 'loadbalance', balance: 'test.own' },
  targets,
});
export const fallback = (...targets: readonly JsonObject[]): JsonObject => ({
  strategy: { mode: 'fallback' },
  targets,
});
type Choose = Chooser['choose'];
interface Heard {
  readonly index: number;
  readonly outcome: ChooserOutcome;
}

export interface OwnWorld extends Partial<ConfigWorld> {
  readonly choose?: Choose;
  readonly heard?: Chooser['heard'];
  readonly create?: (services: ChooserServices) => void;
  readonly readsPrices?: boolean;
}

export interface OwnConfig extends RunningConfig {
  /** What each request was chosen from. */
  readonly offered: (readonly ChooserTarget[])[];
  readonly heard: Heard[];
  readonly logged: string[];
}

/** Runs a config whose balance is a chooser that always chooses its first target, unless `choose` chooses otherwise. */
export const running = (config: JsonObject, given: OwnWorld = {}): OwnConfig => {
  const { choose = () => 0, heard: hear, create, readsPrices, ...world } = given;
  const offered: (readonly ChooserTarget[])[] = [];
  const heard: Heard[] = [];
  const logged: string[] = [];
  const own = defineChooser({
    id: 'test.own',
    description: 'Chooses as a test says.',
    ...(readsPrices === undefined ? {} : { readsPrices }),
    create(services) {
      create?.(services);
      return {
        choose(targets, request, draw) {
          offered.push(structuredClone(targets));
          return choose(targets, request, draw);
        },
        heard(index, outcome) {
          heard.push({ index, outcome });
          hear?.(index, outcome);
        },
      };
    },
  });
  const plugins = [definePlugin({ name: 'own', choosers: [own] })];
  const log = (text: string): void => void logged.push(text);
  return { ...runConfig(config, { upstream: () => stubAnswer({}), plugins, log, ...world }), offered, heard, logged };
};

/** Returns the hosts that were called, in order. */
export const called = ({ upstreams }: RunningConfig): readonly string[] =>
  upstreams.requests.map(({ origin }) => new URL(origin).hostname.replace('.example', ''));

/** Links a plan that compiling a config never results in, and returns how requests are sent to it. */
export const relinked = (
  { gateway, plan, clock }: RunningConfig,
  change: (plan: RoutingPlan, root: LoadbalanceNode) => RoutingPlan,
): RunningConfig['handle'] => {
  if (plan.root.kind !== 'loadbalance') throw new Error('The plan is no load balance.');
  const linked = gateway.link({ plan: change(plan, plan.root), secrets: () => 'x' });
  return (exchange) => clock.settle(gateway.handle(exchange, linked));
};

/** Changes the branches of a plan's load balance. */
export const withBranches =
  (
    change: (branch: WeightedBranch, index: number) => WeightedBranch,
  ): ((plan: RoutingPlan, root: LoadbalanceNode) => RoutingPlan) =>
  (plan, root) => {
    const branches = root.branches.map(change);
    if (!isNonEmpty(branches)) throw new Error('The plan has no branches.');
    return { ...plan, root: { ...root, branches } };
  };
