import { existsSync } from 'node:fs';
import type { Saved } from '../../schema/config/saved.ts';
import type { GatewayFile } from '../../schema/generated/gateway-file.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import type { Clock } from '../sdk/clock.ts';
import type { ControlLink } from '../sdk/control-plane/control-link.ts';
import type { IdempotencyStore } from '../sdk/control-plane/idempotency-store.ts';
import type { Identities } from '../sdk/control-plane/identities.ts';
import type { Limiter } from '../sdk/control-plane/limiter.ts';
import type { ReferenceGuard } from '../sdk/control-plane/reference-guard.ts';
import type { StoreStatus } from '../sdk/control-plane/store-status.ts';
import type { StoredItems } from '../sdk/control-plane/stored-items.ts';
import type { Tenants } from '../sdk/control-plane/tenants.ts';
import type { CheckHttp } from '../sdk/guardrail/guardrail.ts';
import type { LimitReached } from '../sdk/hooks/limit-reached.ts';
import type { ConnectTo } from '../sdk/http/connect-to.ts';
import { buildCatalogue, type Catalogue, findProviderId, loadCatalogue } from '../sdk/plugin/catalogue.ts';
import type { FindList } from '../sdk/plugin/find-lists.ts';
import { type Plugin, pluginApi } from '../sdk/plugin/plugin.ts';
import type { SinkEntry } from '../sdk/sink/sink-entry.ts';
import { AuditLog, audited } from './access/audit/audit-log.ts';
import { createControlIdentities } from './access/identity/identities.ts';
import { defaultStaleAuthMs } from './access/keys/create-identity.ts';
import { checkGivenKeys, ensureFirst, reportFirstStart } from './access/keys/first-key.ts';
import { auditSessions } from './access/sessions/audit-sessions.ts';
import { pruneSessions } from './access/sessions/session-store.ts';
import { toGuardrailParts } from './catalog/guardrails/saved-guardrails.ts';
import { createPromptFinder } from './catalog/prompts/prompts-of.ts';
import { createTenants } from './catalog/tenant-view/create-tenants.ts';
import { type AllParts, controlRoutes } from './control-routes.ts';
import { createAllowances } from './kernel/fairness/allowances.ts';
import { createSharedPools } from './kernel/fairness/shared-pools.ts';
import { StoredJobQueue } from './kernel/jobs/create-job-queue.ts';
import { pruneHourly } from './kernel/jobs/prune-hourly.ts';
import { createStoredIdempotency, withExecutedRequests } from './kernel/records/idempotency-store.ts';
import { withImmediateEffect } from './kernel/requests/control-route.ts';
import { isSealed } from './kernel/secrets/canary.ts';
import {
  findMasterKeys,
  isKeySet,
  lostKeyText,
  type MasterKeys,
  otherKeyText,
  withMasterKey,
} from './kernel/secrets/master-key.ts';
import { SecretError, UnknownMasterError } from './kernel/secrets/seal.ts';
import { createSealer, watchMaster } from './kernel/secrets/sealer.ts';
import { longestAnswerMs } from './kernel/store/in-time.ts';
import { besideStore, openStore, readStoreUrl, watchWrites } from './kernel/store/open/open-store.ts';
import { type AddJobs, createJobThread } from './kernel/store/postgres/pool.ts';
import { ReadReports, toReason } from './kernel/store/read-reports.ts';
import { createSqliteThread, type SqliteThread } from './kernel/store/sqlite/sqlite-thread.ts';
import { type Store, StoreError } from './kernel/store/store.ts';
import { isUnavailable } from './kernel/store/store-asker.ts';
import { type OpenedLog, type OpenLogOptions, openLog } from './logs/open-log.ts';
import { toLogSettings } from './logs/settings/log-settings.ts';
import type { SinkThreadStart } from './logs/sinks/messages.ts';
import type { SinkOutlet } from './logs/sinks/sink-outlet.ts';
import { toLogFile } from './logs/writer/open-log-store.ts';
import { Ledger } from './metering/ledger/open-ledger.ts';
import { openLimits } from './metering/limiter/open-limits.ts';
import type { AttemptPrices } from './metering/limiter/request-attempts.ts';
import { FollowedPolicies } from './metering/policies/create-policy-view.ts';
import { leaderCheck, ownedAllowances, ownedCounters, ownedSinks, ownedThreads } from './owner-process/ask-owner.ts';
import { withClaimFailures, withStoreFailures } from './store-failures.ts';
import { runBatches } from './work/batches/managed/batch-jobs.ts';
import { watchBatches } from './work/batches/provider-usage/watch-job.ts';
import { type FilesMember, openFiles, toFileSettings } from './work/files/open-files.ts';
import { createAccountIds } from './work/provider-requests/account-ids.ts';
import { createFileCopies } from './work/provider-requests/file-copies.ts';
import { createReferenceGuard } from './work/remote-ids/reference-guard.ts';
import { createRemoteIds } from './work/remote-ids/remote-ids.ts';
import { removeCopies } from './work/remove-copies.ts';
import { openItems } from './work/response-items/open-items.ts';
import { pruneResponses } from './work/responses/response-store.ts';

/** The options that a control plane is opened with. */
export interface OpenControlOptions {
  /** The path of a SQLite file, or the URL of a PostgreSQL. */
  readonly url: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The master key as text, where the gateway file refers to one; it may be another later. */
  readonly masterKey?: () => string;
  /** For how long known keys are accepted while the store cannot be reached, in milliseconds. */
  readonly staleAuthMs?: number;
  /** The settings of the gateway file for the log. */
  readonly log?: GatewayFile['log'];
  /** The sinks of the log. */
  readonly sinks?: readonly SinkEntry[];
  /** The module of their thread. */
  readonly sinkModule?: URL;
  /** For how many milliseconds they may send what waits once the gateway closes. */
  readonly closeMs?: () => number;
  /** The settings of the gateway file for the ledger. */
  readonly ledger?: NonNullable<GatewayFile['store']>['ledger'];
  /** The settings of the gateway file for files, its references read and its paths absolute. */
  readonly files?: FilesMember;
  /** For how many days the audit log keeps each record. */
  readonly auditKeepDays?: number;
  /** The gateway file's plugins, and what it saves. */
  readonly environment: { readonly plugins: readonly Plugin[]; readonly saved: Saved };
  readonly compile: AllParts['compile'];
  readonly providerWarnings: (
    ...about: [...Parameters<AllParts['providerWarnings']>, catalogue: Catalogue]
  ) => ReturnType<AllParts['providerWarnings']>;
  readonly comparePlans: AllParts['comparePlans'];
  readonly replayLogged: AllParts['replayLogged'];
  readonly listCircuits: AllParts['listCircuits'];
  /** Describes everything that plugins provide, as data for an editor. */
  readonly describeCatalogue: (catalogue: Catalogue) => Promise<object>;
  readonly configNames: () => Iterable<string>;
  readonly findHostError: AllParts['findHostError'];
  /** The hosts that the operator trusts. */
  readonly trustedHosts: readonly string[];
  /** The settings of the gateway file for connections to all hosts. */
  readonly egress?: SinkThreadStart['egress'];
  /** By which the keys of identity providers are fetched. */
  readonly http: Pick<CheckHttp, 'send'>;
  /** By which the storage of files is connected to. */
  readonly connector?: (origin: string) => ConnectTo;
  /** A Redis in which all processes of the store count what limits count; in each process alone if absent. */
  readonly limitsUrl?: string;
  /** Given to a worker: the way to the process that owns it, which has the files of SQLite, and counts without a Redis. */
  readonly owner?: ControlLink | undefined;
  /** The prices of attempts. */
  readonly prices?: AttemptPrices;
  readonly clock: Clock;
  /** Notifies the operator. */
  readonly say: (text: string) => void;
  /** Does the same with a line about the set-up as a whole. If all workers print the same one, it appears once. */
  readonly announce: (text: string) => void;
  /** Whether a person reads it. */
  readonly isTerminal: boolean;
}

/** A control plane that runs. It ends with the hook `close` of its plugin. */
export interface OpenedControl {
  readonly plugin: Plugin;
  readonly identities: Identities;
  readonly tenants: Tenants;
  readonly idempotencyStore: IdempotencyStore;
  /** Counts requests and their attempts, and limits them. */
  readonly limiter: Limiter;
  /** Validates what requests name in accounts that workspaces share. */
  readonly references: ReferenceGuard;
  /** Where items that answers name outlast this process. */
  readonly storedItems: StoredItems;
  readonly storeStatus: () => StoreStatus;
  /** Reads the slug of a workspace; undefined where there is none. Rejects as the store does. */
  readonly findSlug: (workspace: string) => Promise<string | undefined>;
  /** Why it must be started again, at this moment: one sentence each. It never rejects. */
  restarts(): Promise<readonly string[]>;
}

/** The most workspaces that a process reads before their first request. */
const maxAhead = 5000;

/** The sealer, with a master key of the environment, of the gateway file, or of a file beside the SQLite file. */
const openSealer = async (options: OpenControlOptions, store: Store): Promise<AllParts['sealer']> => {
  const { env, masterKey, say, announce, clock } = options;
  const ownFile = store.kind === 'sqlite' ? besideStore(readStoreUrl(options.url), '.key') : undefined;
  const hasOwnFile = (): boolean => ownFile !== undefined && existsSync(ownFile);
  const variables = (): OpenControlOptions['env'] => withMasterKey(env, masterKey?.());
  const read = (file: string | undefined): Promise<Partial<MasterKeys>> => findMasterKeys(variables(), file);
  // Whoever seals a store with the key of this file makes the file first, so that a sealed store without one has another key.
  const wasSealed = await isSealed(store);
  const hadOwnFile = hasOwnFile();
  const keys = await read(wasSealed && !hadOwnFile ? undefined : ownFile);
  if (!hadOwnFile && hasOwnFile())
    say(
      `gw: Credentials in the store are sealed with a key that is now in ${ownFile}. It protects copies of the database, and not this folder: set GW_MASTER_KEY to keep the key elsewhere.\n`,
    );
  if (keys.masterKey === undefined && ownFile === undefined)
    announce(
      'gw: The store has no master key, so that no provider with a credential, and nothing else that is sealed, can be saved in it. Set GW_MASTER_KEY, which `openssl rand -base64 32` makes, or "store.master_key" in the gateway file to a reference.\n',
    );
  // A file that was taken away meanwhile is not made again.
  const readAgain = (): Promise<Partial<MasterKeys>> => read(hasOwnFile() ? ownFile : undefined);
  try {
    return await createSealer({ store, ...keys, readAgain, now: () => clock.wall() });
  } catch (error) {
    if (!(error instanceof UnknownMasterError) || ownFile === undefined) throw error;
    const describe = isKeySet(variables(), 'GW_MASTER_KEY') ? otherKeyText : lostKeyText;
    throw new SecretError(`${error.message} ${describe(ownFile, hasOwnFile())}`);
  }
};

/** Starts what follows the store, and makes the routes of its resources. */
const serveStore = async (
  options: OpenControlOptions,
  {
    store,
    writeFailure,
    sealer,
    log,
  }: {
    readonly store: Store;
    readonly writeFailure: () => string | undefined;
    readonly sealer: AllParts['sealer'];
    readonly log: OpenedLog | undefined;
  },
): Promise<OpenedControl> => {
  const {
    clock,
    staleAuthMs,
    environment,
    configNames,
    findHostError,
    compile,
    providerWarnings,
    comparePlans,
    replayLogged,
    listCircuits,
    describeCatalogue,
    http,
    trustedHosts,
    limitsUrl,
    prices,
    say,
    announce,
    ledger: ledgerSettings = true,
    auditKeepDays,
    owner,
  } = options;
  const { models, ...saved } = environment.saved;
  const overlay = { saved, models, configNames };
  const reads = new ReadReports({ clock, say, staleAuthMs: staleAuthMs ?? defaultStaleAuthMs });
  const identities = createControlIdentities({
    ...{ store, clock, http, trustedHosts, say },
    ...{ staleAuthMs, report: reads.ofFeed() },
  });
  const catalogue = buildCatalogue(environment.plugins);
  let whole: Promise<Catalogue> | undefined;
  const wholeCatalogue = (): Promise<Catalogue> => (whole ??= loadCatalogue(environment.plugins));
  let described: Promise<JsonObject> | undefined;
  let lists: Promise<FindList> | undefined;
  // What is known of a tenant outlasts its keys: the answer is that these are not accepted.
  const staleMs = (staleAuthMs ?? defaultStaleAuthMs) + longestAnswerMs;
  const tenants = createTenants({
    ...{ store, sealer, overlay, catalogue, clock, staleMs, maxAhead, say },
    ...{ findPrompts: createPromptFinder({ store }), report: reads.ofFeed() },
  });
  const policies = new FollowedPolicies({ store, clock, say, report: reads.ofFeed() });
  await Promise.all([identities.start(), tenants.start(), policies.start()]).catch((error) => {
    throw isUnavailable(error) ? new StoreError(toReason(error)) : error;
  });
  const ledger = new Ledger({
    ...{ store, clock, say },
    ...(typeof ledgerSettings === 'boolean'
      ? {}
      : { kept: { days: ledgerSettings.keep_days, megabytes: ledgerSettings.keep_mb } }),
  });
  const audit = new AuditLog({ store, clock, say, keepDays: auditKeepDays });
  let notify: (reached: LimitReached) => void = () => {};
  const limits = await openLimits({
    ...{ store, policies, ledger, audit, clock, say, countsAll: ledgerSettings !== false },
    prices,
    redisUrl: limitsUrl,
    owned: owner && ownedCounters(owner),
    listedAs: (provider) => catalogue.providers.get(provider)?.listedAs ?? provider,
    toProviderId: (provider) => findProviderId(catalogue, provider),
    notify: (reached) => notify(reached),
  });
  const now = (): number => clock.wall();
  const fileSettings = toFileSettings(options.files, besideStore(readStoreUrl(options.url), '-files'));
  const { place } = fileSettings;
  if (store.kind === 'postgres' && place.kind === 'folder' && options.files?.folder === undefined)
    announce(
      `gw: Files are kept in ${place.folder}, which is this machine's alone. If other gateways share the store, set "store.files" in the gateway file to a folder or a bucket that all of them reach.\n`,
    );
  const opened = await openFiles({ store, sealer, clock, settings: fileSettings, connector: options.connector });
  const jobs = new StoredJobQueue({ store, clock, say });
  const remoteIds = createRemoteIds({ store, now });
  const readView: AllParts['readView'] = (tenant) => tenants.viewNow(tenant);
  const storedItems = openItems({ store, sealer, clock });
  const pruning = pruneHourly({
    clock,
    store,
    prune: async (time, isOver) => {
      await pruneResponses(store, time, isOver);
      await pruneSessions(store, time, isOver);
    },
  });
  const parts: AllParts = {
    store,
    jobs,
    pools: createSharedPools(),
    allowances: owner === undefined ? createAllowances(now) : ownedAllowances(owner, createAllowances(now)),
    principalNow: identities.principalNow,
    sessions: {
      identifySession: (token) => identities.identifySession(token),
      identifyForSession: (key) => identities.identifyForSession(key),
      lookNow: () => identities.lookNow(),
      audit: auditSessions(audit, (key) => identities.findKeyId(key)),
    },
    blobs: opened.blobs,
    files: opened.files,
    fileLimits: fileSettings,
    remoteIds,
    accountIds: createAccountIds({ store, sealer, catalogue, readView, remoteIds }),
    storedItems,
    fileCopies: createFileCopies({ files: opened.files, remoteIds, store, now }),
    counters: limits.counters,
    usageKept: () => limits.kept(),
    sealer,
    overlay,
    catalogue,
    wholeCatalogue,
    describeCatalogue: () => (described ??= wholeCatalogue().then(describeCatalogue) as Promise<JsonObject>),
    lists: () =>
      (lists ??= import('../sdk/plugin/find-lists.ts').then(({ findLists }) => findLists(environment.plugins))),
    findHostError,
    trustedHosts,
    compile,
    providerWarnings: (tenant, provider) => providerWarnings(tenant, provider, catalogue),
    comparePlans,
    replayLogged,
    listCircuits,
    now,
    ...(log === undefined ? {} : { log: { store: () => log.store(), settings: log.settings, labels: log.labels } }),
    readView,
    toSavedGuardrails: (rows) => toGuardrailParts(rows).guardrails,
  };
  runBatches({ ...parts, clock });
  removeCopies({ ...parts, clock });
  watchBatches({ ...parts, clock, lateUses: limits.lateUses });
  const plugin: Plugin = {
    name: 'gatewright/control',
    api: pluginApi,
    routes: withImmediateEffect(
      audited(withStoreFailures(controlRoutes(parts, tenants.findPrompts)), audit),
      ({ tenant }) => Promise.all([identities.lookNow(), tenants.lookNow(tenant), policies.lookNow()]),
    ),
    start: (gateway) => jobs.start(gateway),
    apply: (hooks) => {
      notify = (reached) => hooks.limitReached.call(reached);
      hooks.keyRefused.tap('gatewright/control', (refused) => audit.refusals.note(refused));
      log?.tap(hooks);
      hooks.close.tapPromise('gatewright/control', async () => {
        // The last records of the log may have something to seal, which asks the store.
        const inTurn = [jobs, storedItems, log, identities, tenants, policies, limits, ledger, audit];
        for (const each of [...inTurn, opened, pruning, store]) await each?.close();
      });
    },
  };
  return {
    plugin,
    identities,
    tenants,
    limiter: limits.limiter,
    references: createReferenceGuard({ store, clock }),
    storedItems,
    idempotencyStore: withClaimFailures(createStoredIdempotency(store, parts.now)),
    storeStatus: () => {
      const [keys, plans] = [identities.status(), tenants.status()];
      return {
        isUnavailable: keys.isUnavailable || plans.isUnavailable || reads.failure() !== undefined,
        feeds: { keys: keys.version, plans: plans.version, policies: policies.version() },
        unread: plans.unread,
        unreadPrompts: plans.unreadPrompts,
        // The store is as up to date as the older of what follows it.
        confirmedAt: Math.max(0, Math.min(keys.confirmedAt, plans.confirmedAt)),
        readFailure: reads.failure(),
        writeFailure: writeFailure(),
        ledgerFailure: ledger.failure(),
        countersUnavailable: limits.isUnavailable(),
        ...(log === undefined ? {} : { log: log.status() }),
      };
    },
    findSlug: slugReader(store),
    restarts: watchMaster(sealer, clock),
  };
};

const slugReader =
  ({ db }: Pick<Store, 'db'>): OpenedControl['findSlug'] =>
  async (workspace) =>
    (await db.selectFrom('workspaces').select('slug').where('id', '=', workspace).executeTakeFirst())?.slug;

/** Where else the records of the log go. */
const toSinks = (
  { sinks, sinkModule, closeMs = () => 0, trustedHosts, egress, owner, clock, say }: OpenControlOptions,
  store: Store,
): OpenLogOptions['sinks'] => {
  if (sinks === undefined || sinkModule === undefined) return undefined;
  const outlet = async (): Promise<SinkOutlet> => {
    if (owner !== undefined) {
      const { linkedSinks } = await import('./logs/sinks/linked-sinks.ts');
      return linkedSinks(ownedSinks(owner), { sinks: sinks.length, clock });
    }
    const { openThreadSinks } = await import('./logs/sinks/open-sinks.ts');
    return openThreadSinks({
      ...{ entries: sinks, module: sinkModule, trustedHosts, clock, say },
      ...(egress && { egress }),
    });
  };
  return { entries: sinks, outlet, closeMs, findSlug: slugReader(store), workers: owner?.workers ?? 1 };
};

/** The thread that a store and its log share, as each of them uses it: for SQLite files, or for jobs of PostgreSQL. */
interface StoreThreads {
  readonly store?: () => SqliteThread;
  readonly log?: () => SqliteThread;
  readonly addJobs?: AddJobs;
}

const storeThreads = ({ url, owner }: OpenControlOptions): StoreThreads => {
  const at = readStoreUrl(url);
  if (at.kind === 'postgres') return { addJobs: createJobThread() };
  if (owner !== undefined) return ownedThreads(owner);
  const addFile = createSqliteThread();
  return { store: () => addFile(at.file), log: () => addFile(toLogFile(at.file)) };
};

/**
 * Opens the store and what serves it. Rejects with a `StoreError`, a `SecretError` or an `AdminKeyError`: sentences for the
 * operator.
 */
export const openControl = async (options: OpenControlOptions): Promise<OpenedControl> => {
  const { url, env, clock, say, isTerminal, owner } = options;
  await checkGivenKeys(options);
  const threads = storeThreads(options);
  const { store: written, failure: writeFailure } = watchWrites(
    await openStore({
      ...{ url, thread: threads.store?.(), addJobs: threads.addJobs, say },
      leads: owner && leaderCheck(owner),
    }),
    clock,
  );
  const store = withExecutedRequests(written);
  try {
    const sealer = await openSealer(options, store);
    const first = await ensureFirst(store, { now: clock.wall(), adminKey: env.GW_ADMIN_KEY || undefined });
    await reportFirstStart(first, {
      ...{ say, isTerminal, file: besideStore(readStoreUrl(url), '.admin-key') },
      isShared: store.kind === 'postgres',
    });
    const { log: wanted = true } = options;
    const settings = wanted === true ? toLogSettings() : wanted && toLogSettings(wanted);
    const sinks = toSinks(options, store);
    const log =
      settings === false
        ? undefined
        : await openLog({
            ...{ url, settings, sealer, clock, say, sinks },
            labels: Object.keys(options.environment.saved.labels ?? {}),
            ...{ thread: threads.log, addJobs: threads.addJobs, leads: store.leads },
          });
    try {
      return await serveStore(options, { store, writeFailure, sealer, log });
    } catch (error) {
      await log?.close();
      throw error;
    }
  } catch (error) {
    await store.close();
    throw error;
  }
};
