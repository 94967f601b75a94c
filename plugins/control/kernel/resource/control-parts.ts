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
import type { Allowances } from '../fairness/allowances.ts';
import type { SharedPools } from '../fairness/shared-pools.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import type { CounterReader } from '../limits/limit-policy.ts';
import type { Sealer } from '../secrets/sealer.ts';
import type { Store } from '../store/store.ts';
import type { GuardrailRow } from '../store/tables.ts';

/**
 * The state of a process outside the store, which the control plane only reads: names that are taken, and what they stand for.
 */
export interface Overlay {
  readonly saved: Saved;
  /** The virtual models of the process, which stand for configs of its files; none if absent. */
  readonly models?: VirtualModels | undefined;
  /** The names of the configs in its files. */
  configNames(): Iterable<string>;
}

/** The parts that the resources of the control plane are built from. */
export interface ControlParts {
  readonly store: Store;
  readonly sealer: Sealer;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly overlay: Overlay;
  /** The providers and checks that the loaded plugins have. */
  readonly catalogue: Catalogue;
  /** The same, including the code of all dialects, which is loaded on first use. */
  wholeCatalogue(): Promise<Catalogue>;
  /** Describes everything that the loaded plugins provide, as data for a compiler that has none of their code. Created once. */
  describeCatalogue(): Promise<JsonObject>;
  /** Finds how to read a provider's list of models; if absent, no provider has one. */
  readonly lists?: () => Promise<FindList>;
  readonly findHostError: (baseUrl: string) => HostError | undefined;
  /** The hosts that the operator trusts, as `host` or `host:port`; none if absent. */
  readonly trustedHosts?: readonly string[];
  /**
   * Compiles a config as one that a tenant has saved, in the tenant's turn. It never rejects because of the config's text, only
   * with the `GatewayError` `queue-full` if too much of the tenant's work is waiting. `tenant` is the tenant whose time is used,
   * and `saved` contains the names that the config can use.
   */
  compile(
    text: string,
    options: { readonly tenant: string; readonly saved: Saved; readonly name: string },
  ): Promise<KeptCompileResult>;
  /**
   * Finds the warnings about the host of a saved provider, by their places in it, in the tenant's turn. Rejects with the
   * `GatewayError` `queue-full`, like `compile`.
   */
  providerWarnings(tenant: string, provider: SavedProvider): Promise<readonly Diagnostic[]>;
  /** Compares the behaviour of two plans, in the tenant's turn. Rejects with the `GatewayError` `queue-full`, like `compile`. */
  comparePlans(tenant: string, before: RoutingPlan, after: RoutingPlan): Promise<PlanComparison>;
  /**
   * Determines where a logged request would have gone, without sending anything; undefined if a mirror sent it. `from` is the
   * plan that it was recorded with, if known. Runs in the tenant's turn. Rejects with the `GatewayError`s `queue-full` and
   * `conflict`.
   */
  replayLogged(
    tenant: string,
    record: string,
    on: { readonly plan: RoutingPlan; readonly from?: RoutingPlan },
  ): Promise<LogReplayed | undefined>;
  /** Lists the circuits of a tenant that are not closed or have counted failures. */
  listCircuits(tenant: string): readonly ListedCircuit[];
  /** Reads the usage of limits; absent if nothing is counted. */
  readonly counters?: CounterReader;
  /** The pools that all tenants share, each up to its part. */
  readonly pools: SharedPools;
  /** Counts operations that are allowed only a few times. */
  readonly allowances: Allowances;
  /** Work that is done outside of requests. */
  readonly jobs: JobQueue;
  /** Converts rows to guardrails, by the names that configs use for them. */
  toSavedGuardrails(rows: readonly GuardrailRow[]): Saved['guardrails'];
  /** Reads from the store what a tenant has saved at the moment. */
  readView(tenant: TenantId): Promise<TenantView>;
}
