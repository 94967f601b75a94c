import type { KeptCompileResult } from '../../schema/plan.ts';
import type { Saved } from '../../schema/saved.ts';
import type { Catalogue } from '../sdk/catalogue.ts';
import type { TenantId } from '../sdk/exchange.ts';
import type { HostFault } from '../sdk/host-fault.ts';
import type { TenantView } from '../sdk/tenants.ts';
import type { FileCopies } from './accounts/file-copies.ts';
import type { Blobs } from './files/blobs/blobs.ts';
import type { KeptFiles } from './files/create-files.ts';
import type { FileSettings } from './files/file-settings.ts';
import type { PrincipalNow } from './identity/principal-now.ts';
import type { JobQueue } from './jobs/job-queue.ts';
import type { LogParts } from './logs/log-parts.ts';
import type { OpenedItems } from './named-items/open-items.ts';
import type { CounterReader } from './policies/counter-reader.ts';
import type { SharedPools } from './pools/shared-pools.ts';
import type { AccountIds } from './remote-ids/account-ids.ts';
import type { RemoteIds } from './remote-ids/remote-ids.ts';
import type { Sealer } from './secrets/sealer.ts';
import type { Store } from './store/store.ts';

/** What a process holds beside the store, and the control plane only reads: names that are taken, and what they stand for. */
export interface Overlay {
  readonly saved: Saved;
  /** The names of the configs in its files. */
  configNames(): Iterable<string>;
}

export interface CompileSavedOptions {
  /** Whose time it takes. */
  readonly tenant: string;
  /** What the config can name. */
  readonly saved: Saved;
  readonly name: string;
}

/** What the resources of the control plane are made of. */
export interface ControlParts {
  readonly store: Store;
  readonly sealer: Sealer;
  /** Sealed bytes that are no files of users. */
  readonly blobs: Blobs;
  readonly files: KeptFiles;
  readonly fileLimits: Pick<FileSettings, 'maxBytes'>;
  readonly remoteIds: RemoteIds;
  readonly accountIds: AccountIds;
  /** One for all resources, so that a file is copied once, whichever of them want it. */
  readonly fileCopies: FileCopies;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly overlay: Overlay;
  /** The providers and checks that the loaded plugins have. */
  readonly catalogue: Catalogue;
  /** The same with the code of all dialects, which is loaded for the first that asks. */
  wholeCatalogue(): Promise<Catalogue>;
  readonly hostFault: (baseUrl: string) => HostFault | undefined;
  /** The hosts that the operator trusts, as `host` or `host:port`; none if absent. */
  readonly trustedHosts?: readonly string[];
  /**
   * Compiles a config as one that a tenant has saved, in its turn. It never rejects because of a text, but with the
   * `GatewayError` `queue-full` if too much of the tenant waits.
   */
  compile(text: string, options: CompileSavedOptions): Promise<KeptCompileResult>;
  /** What has been used of limits; absent where nothing is counted. */
  readonly counters?: CounterReader;
  /** Resolves when what requests have used so far outlasts this process. While the store is unavailable it waits. It never rejects. */
  usageKept(): Promise<void>;
  /** The log of requests; absent where none is kept. */
  readonly log?: Pick<LogParts, 'store' | 'settings'>;
  /** What all tenants share, of which each may have its part. */
  readonly pools: SharedPools;
  /** Items of answers that later requests may name. */
  readonly storedItems: Pick<OpenedItems, 'remove'>;
  /** Work that is done outside of requests. */
  readonly jobs: JobQueue;
  /** Who somebody is now that asked for something before. */
  readonly principalNow: PrincipalNow;
  /** What a tenant has saved now, read from the store. */
  viewOf(tenant: TenantId): Promise<TenantView>;
}
