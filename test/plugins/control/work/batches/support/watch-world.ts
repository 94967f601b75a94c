import { builtinPlugins } from '../../../../../../plugins/builtin.ts';
import { StoredJobQueue } from '../../../../../../plugins/control/kernel/jobs/create-job-queue.ts';
import type { LimitPolicy } from '../../../../../../plugins/control/kernel/limits/limit-policy.ts';
import { newMasterKey } from '../../../../../../plugins/control/kernel/secrets/master-key.ts';
import type { Store } from '../../../../../../plugins/control/kernel/store/store.ts';
import { Ledger } from '../../../../../../plugins/control/metering/ledger/open-ledger.ts';
import { openLimits } from '../../../../../../plugins/control/metering/limiter/open-limits.ts';
import type { ProviderCall } from '../../../../../../plugins/control/work/batches/batch/executor.ts';
import type { WatchParts } from '../../../../../../plugins/control/work/batches/provider-usage/charge-batch.ts';
import { watchBatches } from '../../../../../../plugins/control/work/batches/provider-usage/watch-job.ts';
import {
  recordBatch,
  runWatchJobNow,
} from '../../../../../../plugins/control/work/batches/providers/watched-batches.ts';
import type { StoredFiles } from '../../../../../../plugins/control/work/files/create-files.ts';
import { createAccountIds } from '../../../../../../plugins/control/work/provider-requests/account-ids.ts';
import { createRemoteIds } from '../../../../../../plugins/control/work/remote-ids/remote-ids.ts';
import type { TenantView } from '../../../../../../plugins/sdk/control-plane/tenants.ts';
import type { OrganisationId, Principal, TenantId } from '../../../../../../plugins/sdk/exchange/exchange.ts';
import type { GatewayResponse } from '../../../../../../plugins/sdk/http/http.ts';
import { findProviderId, loadCatalogue } from '../../../../../../plugins/sdk/plugin/catalogue.ts';
import type { InternalRequest } from '../../../../../../plugins/sdk/route/route-row.ts';
import { systemClock as clock } from '../../../../../../runtime/in-memory/system-clock.ts';
import { createPrices } from '../../../../../../runtime/usage/prices/create-prices.ts';
import { nothingSaved } from '../../../../../../schema/config/saved.ts';
import type { JsonObject } from '../../../../../../schema/json/json.ts';
import type { OwnPrices } from '../../../../../../schema/usage/model-price.ts';
import { filing } from '../../files/support/filing.ts';

export interface WatchWorldOptions {
  readonly store: Store;
  readonly folder: string;
  /** The stores that the processes see, one each. */
  readonly processes: readonly Store[];
  /** The provider of the account `account` of the workspace. */
  readonly provider: string;
  readonly prices: OwnPrices;
  readonly policies: readonly LimitPolicy[];
  /** The labels of the request that creates the batch. The default is only `team`. */
  readonly metadata?: JsonObject;
  /** Returns the answer of the provider: JSON lines or a JSON object. */
  readonly answer: (request: InternalRequest) => string;
}

/** Processes that wait for batches of one account, on one store. */
export interface WatchWorld {
  readonly tenant: TenantId;
  readonly organisation: OrganisationId;
  /** The files of the first process. */
  readonly files: StoredFiles;
  /** Returns the usage of a policy, as the first process counts it. */
  used(policy: LimitPolicy): Promise<number>;
  /** Whether the creator of batches has lost its access, and the keys whose limits it shares. */
  readonly state: { isRevoked: boolean; shares?: readonly string[] };
  /** Lets the batch be checked now, as after a request about it. */
  hurry(id: string): Promise<void>;
  /** Starts to wait for a batch that was just created. */
  begin(id: string, model?: string): Promise<void>;
  close(): Promise<void>;
}

const slug = 'account';

/** The same for all worlds, because a store outlasts its worlds. */
const masterKey = newMasterKey();

/** After how many milliseconds a process loses the jobs that it does not renew. */
export const leaseMs = 100;

export const watchWorld = async (options: WatchWorldOptions): Promise<WatchWorld> => {
  const { store, folder, processes, provider, prices: own, policies, answer, metadata = { team: 'red' } } = options;
  const { tenant } = await filing({ store, folder, masterKey });
  const { organisation_id } = await store.db
    .selectFrom('workspaces')
    .select('organisation_id')
    .where('id', '=', tenant)
    .executeTakeFirstOrThrow();
  const organisation = organisation_id as OrganisationId;
  const principal = { tenant, organisation, keyId: 'key', reach: 'workspace' } as Principal;
  const saved = { ...nothingSaved, providers: { [slug]: { provider } } };
  const state: WatchWorld['state'] = { isRevoked: false };
  const say = (): void => {};
  const catalogue = await loadCatalogue(builtinPlugins);

  const startProcess = async (seen: Store) => {
    const { files, blobs, sealer, time } = await filing({ store: seen, folder, masterKey });
    time.now = Date.now();
    const jobs = new StoredJobQueue({ store: seen, clock, say, pollMs: 20, leaseMs });
    const ledger = new Ledger({ store, clock, say });
    const limits = await openLimits({
      ...{ store, ledger, clock, say, countsAll: true, prices: createPrices(own) },
      ...{ policies: { findPolicies: () => policies }, listedAs: (name: string) => name },
      toProviderId: (name) => findProviderId(catalogue, name),
      ...{ audit: { write: async () => false }, notify: say },
    });
    const remoteIds = createRemoteIds({ store: seen, now: () => clock.wall() });
    const readView = async (): Promise<TenantView> => ({
      ...{
        saved,
        version: '1',
        prompts: async () => new Map(),
        secrets: () => undefined,
        config: () => undefined,
        configNames: () => [],
      },
    });
    const parts = {
      ...{ store: seen, files, blobs, sealer, jobs, clock, catalogue, now: () => clock.wall() },
      ...{ remoteIds, readView, lateUses: limits.lateUses, wholeCatalogue: async () => catalogue },
      accountIds: createAccountIds({ store: seen, sealer, catalogue, readView, remoteIds }),
      linesAtOnce: 4,
      principalNow: async () => (state.isRevoked ? undefined : { ...principal, sharesLimitsOf: state.shares }),
    } as unknown as WatchParts;
    watchBatches(parts);
    jobs.start({
      dispatch:
        () =>
        async (request): Promise<GatewayResponse> => {
          const bytes = Buffer.from(answer(request));
          return { status: 200, headers: [], origin: 'upstream', body: { kind: 'bytes', bytes } };
        },
    });
    const close = async (): Promise<void> => {
      await jobs.close();
      await limits.close();
      await ledger.close();
    };
    return { parts, files, close, counters: limits.counters };
  };
  const all = await Promise.all(processes.map(startProcess));
  const [first] = all;
  if (first === undefined) throw new Error('There is no process.');

  const call = {
    ...{ tenant, account: { slug, selectorHeaders: ['x-gw-provider', `@${slug}`] } },
    context: { principal, metadata },
  } as unknown as ProviderCall;
  const now = (): number => clock.wall();
  const parts = { store, jobs: first.parts.jobs, now, remoteIds: createRemoteIds({ store, now }) };

  return {
    ...{ tenant, organisation, state, files: first.files },
    hurry: (id) => runWatchJobNow(parts, call, id),
    async used(policy) {
      const [buckets] = await first.counters.readBuckets([policy]);
      return buckets?.[0]?.used ?? 0;
    },
    async begin(id, model) {
      await store.write((writing) =>
        writing
          .insertInto('provider_batches')
          .values({
            ...{ workspace_id: tenant, slug, remote_id: id, input_file_id: 'gw-file-1' },
            ...{
              endpoint: '/v1/chat/completions',
              completion_window: '24h',
              metadata: null,
              is_collected: 0,
              created_at: now(),
            },
            ...{ output_file_id: null, error_file_id: null },
          })
          .execute(),
      );
      await recordBatch(parts, call, { id, endpoint: '/v1/chat/completions', model });
    },
    async close() {
      await Promise.all(all.map((each) => each.close()));
    },
  };
};
