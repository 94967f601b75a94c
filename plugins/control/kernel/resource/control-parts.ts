import type { Saved, SavedProvider } from '../../../../schema/config/saved.ts';
import type { VirtualModels } from '../../../../schema/config/virtual-models.ts';
import type { Diagnostic } from '../../../../schema/errors/diagnostic.ts';
import type { LogReplayed } from '../../../../schema/forecast/log-replay.ts';
import type { PlanComparison } from '../../../../schema/forecast/plan-comparison.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { ListedCircuit } from '../../../../schema/plan/circuits/listed-circuit.ts';
import type { KeptCompileResult, RoutingPlan } from '../../../../schema/plan/plan.ts';
import type { TenantView } from '../../../sdk/control-plane/tenants.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { HostError } from '../../../sdk/http/host-error.ts';
import type { Catalogue } from '../../../sdk/plugin/catalogue.ts';
import type { FindList } from '../../../sdk/plugin/find-lists.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import type { CounterReader } from '../limits/limit-policy.ts';
import type { Allowances } from '../pools/allowances.ts';
import type { SharedPools } from '../pools/shared-pools.ts';
import type { Sealer } from '../secrets/sealer.ts';
import type { Store } from '../store/store.ts';
import type { GuardrailRow } from '../store/tables.ts';

/**
 * The state of a process beside the store, which the control plane only reads: names that are taken, and what they
 * stand for.
 */
export interface Overlay {
  readonly saved: Saved;
  /** Its virtual models, which stand for configs of its files; none if absent. */
  readonly models?: VirtualModels | undefined;
  /** The names of the configs in its files. */
  configNames(): Iterable<string>;
}

/** The parts that the resources of the control plane are made of. */
export interface ControlParts {
  readonly store: Store;
  readonly sealer: Sealer;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly overlay: Overlay;
  /** The providers and checks that the loaded plugins have. */
  readonly catalogue: Catalogue;
  /** The same with the code of all dialects, which is loaded for the first that asks. */
  wholeCatalogue(): Promise<Catalogue>;
  /** Everything that the loaded plugins provide, as data for a compiler that has none of their code; made once. */
  describeCatalogue(): Promise<JsonObject>;
  /** Finds how the list of models of a provider is read; none are known if absent. */
  readonly lists?: () => Promise<FindList>;
  readonly findHostError: (baseUrl: string) => HostError | undefined;
  /** The hosts that the operator trusts, as `host` or `host:port`; none if absent. */
  readonly trustedHosts?: readonly string[];
  /**
   * Compiles a config as one that a tenant has saved, in its turn. It never rejects because of a text, but with the
   * `GatewayError` `queue-full` if too much of the tenant waits. `tenant` is the one whose time it takes, and `saved` has the
   * names that the config can use.
   */
  compile(
    text: string,
    options: { readonly tenant: string; readonly saved: Saved; readonly name: string },
  ): Promise<KeptCompileResult>;
  /**
   * Finds the warnings about the host of a provider that is saved, by their places in it, in the turn of the tenant. Rejects with the
   * `GatewayError` `queue-full` like `compile`.
   */
  providerWarnings(tenant: string, provider: SavedProvider): Promise<readonly Diagnostic[]>;
  /** Compares what two plans do, in the turn of the tenant. Rejects with the `GatewayError` `queue-full` like `compile`. */
  comparePlans(tenant: string, before: RoutingPlan, after: RoutingPlan): Promise<PlanComparison>;
  /**
   * Says where the request of a record of the log would have gone, without sending anything; undefined where a mirror sent it. `from` is
   * the plan that it was recorded on, where that is known. In the turn of the tenant. Rejects with the `GatewayError`s `queue-full` and
   * `conflict`.
   */
  replayLogged(
    tenant: string,
    record: string,
    on: { readonly plan: RoutingPlan; readonly from?: RoutingPlan },
  ): Promise<LogReplayed | undefined>;
  /** Lists the circuits of a tenant that are not closed, or have failures. */
  listCircuits(tenant: string): readonly ListedCircuit[];
  /** Reads the usage of limits; absent where nothing is counted. */
  readonly counters?: CounterReader;
  /** The pools that all tenants share, each up to its part. */
  readonly pools: SharedPools;
  /** Counts what may be done a few times only. */
  readonly allowances: Allowances;
  /** Work that is done outside of requests. */
  readonly jobs: JobQueue;
  /** The guardrails of rows, by the names that configs have for them. */
  toSavedGuardrails(rows: readonly GuardrailRow[]): Saved['guardrails'];
  /** Reads what a tenant has saved now from the store. */
  readView(tenant: TenantId): Promise<TenantView>;
}
