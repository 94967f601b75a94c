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
import type { Prices } from '../../ports/prices.ts';
import type { GatewayServiceOptions } from '../../server/service.ts';
import type { CompileShares } from '../../tenant-plans/compile-shares.ts';
import type { ServeCompiler, ServeEnvironment } from './serve-environment.ts';

/** The options for opening a control plane. */
export interface ControlOptions {
  /** The path of a SQLite file, or a PostgreSQL URL. */
  readonly url: string;
  /** Returns the value of the gateway file's reference to the master key, which is read each time. Throws a `ServeFailure`. */
  readonly masterKey?: () => string;
  /** How long known keys are accepted while the store cannot be reached, in milliseconds. */
  readonly staleAuthMs?: number;
  /** The gateway file's settings for the request log. */
  readonly log?: GatewayFile['log'];
  /** The sinks of the log, with resolvable references. */
  readonly sinks?: readonly SinkEntry[];
  /** How long queued messages may still be sent once the gateway closes, in milliseconds. */
  readonly closeMs?: () => number;
  /** The gateway file's settings for the ledger. */
  readonly ledger?: NonNullable<GatewayFile['store']>['ledger'];
  /** The gateway file's settings for files, with references resolved and absolute paths. */
  readonly files?: NonNullable<GatewayFile['store']>['files'];
  /** How many days the audit log keeps each record. */
  readonly auditKeepDays?: number;
  /** The gateway file and the plugins, which the control plane only reads. */
  readonly environment: ServeEnvironment;
  readonly compiler: () => Promise<ServeCompiler>;
  /** Limits the time for compiling what one tenant saves. */
  readonly compileShares: CompileShares;
  /** The names of the configs that are served from files. */
  readonly configNames: () => Iterable<string>;
  /** Returns why callers may not name a base URL. */
  readonly findHostError: (baseUrl: string) => HostError | undefined;
  /** The hosts that the operator trusts. */
  readonly trustedHosts: readonly string[];
  /** The gateway file's settings for connections to all hosts. Absent if there are none. */
  readonly egress?: Pick<GatewayFile, 'proxy' | 'trusted_authorities'>;
  /** Sends the control plane's own requests. */
  readonly http: CheckHttp;
  /** Connects to the storage of the control plane's files. */
  readonly connector: (origin: string) => ConnectTo;
  /** The URL of the Redis in which all processes of the store count for limits. If absent, each process counts alone. */
  readonly limitsUrl?: string;
  /** Set for a worker: the link to the process that owns it. */
  readonly owner?: ControlLink | undefined;
  /** The gateway file's rules for requests, which also apply to replays. */
  readonly rules: Pick<GatewayServiceOptions, 'passThrough' | 'unknownHeaders' | 'reading' | 'onLoss'>;
  /** Lists a tenant's circuits that are not closed, or have failures. */
  readonly listCircuits: (tenant: string) => readonly ListedCircuit[];
  /** The prices of attempts. */
  readonly prices: Prices;
  /** Prints a line about the set-up as a whole. If all workers print the same one, it appears once. */
  readonly announce: (text: string) => void;
  /** Returns the value of a reference in the gateway file. */
  readonly secrets: (ref: SecretRef) => string | undefined;
}

/** The control plane, as the gateway uses it. It ends with the hook `close` of its plugin. */
export interface ControlPlane {
  readonly plugin: Plugin;
  readonly identities: Identities;
  readonly tenants: Tenants;
  readonly idempotencyStore: IdempotencyStore;
  /** Counts requests and their attempts, and limits them. If absent, nothing is counted. */
  readonly limiter?: Limiter;
  /** Judges what requests name in accounts that tenants share. Absent if nothing is shared. */
  readonly references?: ReferenceGuard;
  /** Stores the items that answers name beyond the life of this process. If absent, they are in memory only. */
  readonly storedItems?: StoredItems;
  /** Reports how it follows the store. */
  readonly storeStatus: () => StoreStatus;
  /** Returns the slug of a workspace, or undefined if there is no such workspace. Rejects if the store is unavailable. */
  readonly findSlug: (workspace: string) => Promise<string | undefined>;
  /** The pages of the console. */
  readonly consolePages: ReadConsolePage;
  /** Returns why the gateway must currently be restarted, one sentence each. */
  restarts(): Promise<readonly string[]>;
}
