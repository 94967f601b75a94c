import type { ReadConsolePage } from '../../../plugins/sdk/control-plane/console-pages.ts';
import type { ControlLink } from '../../../plugins/sdk/control-plane/control-link.ts';
import type { IdempotencyStore } from '../../../plugins/sdk/control-plane/idempotency-store.ts';
import type { Identities } from '../../../plugins/sdk/control-plane/identities.ts';
import type { Limiter } from '../../../plugins/sdk/control-plane/limiter.ts';
import type { ReferenceGuard } from '../../../plugins/sdk/control-plane/reference-guard.ts';
import type { StoreStatus } from '../../../plugins/sdk/control-plane/store-status.ts';
import type { StoredItems } from '../../../plugins/sdk/control-plane/stored-items.ts';
import type { Tenants } from '../../../plugins/sdk/control-plane/tenants.ts';
import type { CheckHttp } from '../../../plugins/sdk/guardrail/guardrail.ts';
import type { ConnectTo } from '../../../plugins/sdk/http/connect-to.ts';
import type { HostError } from '../../../plugins/sdk/http/host-error.ts';
import type { Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import type { SinkEntry } from '../../../plugins/sdk/sink/sink-entry.ts';
import type { GatewayFile } from '../../../schema/generated/gateway-file.ts';
import type { ListedCircuit } from '../../../schema/plan/circuits/listed-circuit.ts';
import type { SecretRef } from '../../../schema/plan/plan.ts';
import type { CompileShares } from '../../plans/compile-shares.ts';
import type { Prices } from '../../ports/prices.ts';
import type { GatewayServiceOptions } from '../../server/service.ts';
import type { ServeCompiler, ServeEnvironment } from './serve-environment.ts';

/** The options that a control plane is opened with. */
export interface ControlOptions {
  /** The path of a SQLite file, or the URL of a PostgreSQL. */
  readonly url: string;
  /** The value of the gateway file's reference to the master key, read each time. Throws a `ServeFailure`. */
  readonly masterKey?: () => string;
  /** For how long known keys are accepted while the store cannot be reached, in milliseconds. */
  readonly staleAuthMs?: number;
  /** The settings of the gateway file for the log of requests. */
  readonly log?: GatewayFile['log'];
  /** The sinks of the log, whose references are set. */
  readonly sinks?: readonly SinkEntry[];
  /** For how many milliseconds what waits for receivers may be sent once the gateway closes. */
  readonly closeMs?: () => number;
  /** The settings of the gateway file for the ledger. */
  readonly ledger?: NonNullable<GatewayFile['store']>['ledger'];
  /** The settings of the gateway file for files, its references read and its paths absolute. */
  readonly files?: NonNullable<GatewayFile['store']>['files'];
  /** For how many days the audit log keeps each record. */
  readonly auditKeepDays?: number;
  /** The gateway file and the plugins, which the control plane only reads. */
  readonly environment: ServeEnvironment;
  readonly compiler: () => Promise<ServeCompiler>;
  /** Bounds the time in which what one tenant saves is compiled. */
  readonly compileShares: CompileShares;
  /** The names of the configs that are served from files. */
  readonly configNames: () => Iterable<string>;
  /** Why callers may not name a base URL. */
  readonly findHostError: (baseUrl: string) => HostError | undefined;
  /** The hosts that the operator trusts. */
  readonly trustedHosts: readonly string[];
  /** The settings of the gateway file for connections to all hosts; absent if there are none. */
  readonly egress?: Pick<GatewayFile, 'proxy' | 'trusted_authorities'>;
  /** By which the control plane sends requests of its own. */
  readonly http: CheckHttp;
  /** By which it connects to the storage of its files. */
  readonly connector: (origin: string) => ConnectTo;
  /** The URL of the Redis in which all processes of the store count what limits count; in each process alone if absent. */
  readonly limitsUrl?: string;
  /** Given to a worker: the way to the process that owns it. */
  readonly owner?: ControlLink | undefined;
  /** The rules of the gateway file for requests, which replays keep too. */
  readonly rules: Pick<GatewayServiceOptions, 'passThrough' | 'unknownHeaders' | 'reading' | 'onLoss'>;
  /** Lists the circuits of a tenant that are not closed, or have failures. */
  readonly listCircuits: (tenant: string) => readonly ListedCircuit[];
  /** The prices of attempts. */
  readonly prices: Prices;
  /** The value of a reference in the gateway file. */
  readonly secrets: (ref: SecretRef) => string | undefined;
}

/** The control plane, as the gateway uses it. It ends with the hook `close` of its plugin. */
export interface ControlPlane {
  readonly plugin: Plugin;
  readonly identities: Identities;
  readonly tenants: Tenants;
  readonly idempotencyStore: IdempotencyStore;
  /** Counts requests and their attempts, and limits them; absent: nothing is counted. */
  readonly limiter?: Limiter;
  /** Judges what requests name in accounts that tenants share; absent where nothing is shared. */
  readonly references?: ReferenceGuard;
  /** Where items that answers name outlast this process; absent: they are in memory alone. */
  readonly storedItems?: StoredItems;
  /** How it follows the store. */
  readonly storeStatus: () => StoreStatus;
  /** Reads the slug of a workspace; undefined where there is none. Rejects where the store is unavailable. */
  readonly findSlug: (workspace: string) => Promise<string | undefined>;
  /** The pages of the console. */
  readonly consolePages: ReadConsolePage;
  /** Why the gateway must be started again, at this moment: one sentence each. */
  restarts(): Promise<readonly string[]>;
}
