import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { planComparison } from '../../../../compiler/cli/diff/plan-comparison.ts';
import { compile } from '../../../../compiler/compile.ts';
import { hostWarnings } from '../../../../compiler/gateway-file-checks/check-saved.ts';
import { describeCatalogue } from '../../../../compiler/plugin-catalogue/describe-catalogue.ts';
import { loggedReplayer } from '../../../../gw/replay/replay-logged.ts';
import { builtinPlugins } from '../../../../plugins/builtin.ts';
import { createIdentity } from '../../../../plugins/control/access/keys/create-identity.ts';
import { keyReader } from '../../../../plugins/control/access/keys/key-principal.ts';
import { toGuardrailParts } from '../../../../plugins/control/catalog/guardrails/saved-guardrails.ts';
import type { AllParts } from '../../../../plugins/control/control-routes.ts';
import { createAllowances } from '../../../../plugins/control/kernel/fairness/allowances.ts';
import { createSharedPools } from '../../../../plugins/control/kernel/fairness/shared-pools.ts';
import { StoredJobQueue } from '../../../../plugins/control/kernel/jobs/create-job-queue.ts';
import { newMasterKey } from '../../../../plugins/control/kernel/secrets/master-key.ts';
import { createSealer } from '../../../../plugins/control/kernel/secrets/sealer.ts';
import { openFiles, toFileSettings } from '../../../../plugins/control/work/files/open-files.ts';
import { createFileCopies } from '../../../../plugins/control/work/provider-requests/file-copies.ts';
import { createRemoteIds } from '../../../../plugins/control/work/remote-ids/remote-ids.ts';
import type { Clock } from '../../../../plugins/sdk/clock.ts';
import { buildCatalogue, loadCatalogue } from '../../../../plugins/sdk/plugin/catalogue.ts';
import { definePlugin, type Plugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import type { AnyRouteRow } from '../../../../plugins/sdk/route/route-row.ts';
import { createPluginRoutes } from '../../../../runtime/control-routes/plugin-routes.ts';
import { wholeStages } from '../../../../runtime/engine/stages/whole-stages.ts';
import { createMemoryBreakers } from '../../../../runtime/in-memory/memory-breakers.ts';
import { seededChance } from '../../../../runtime/in-memory/seeded-chance.ts';
import { systemClock } from '../../../../runtime/in-memory/system-clock.ts';
import { startGatewayServer } from '../../../../runtime/server/node-http/gateway-server.ts';
import { createService } from '../../../../runtime/server/service.ts';
import { checkHost } from '../../../../runtime/upstream/check-host.ts';
import { createUpstreams } from '../../../../runtime/upstream/upstreams.ts';
import { nothingSaved, type Saved } from '../../../../schema/config/saved.ts';
import { type KeyWorld, keyWorld } from './key-world.ts';

export interface ControlWorldOptions {
  /** Returns the routes to serve. */
  readonly routes: (parts: AllParts) => readonly AnyRouteRow[];
  /** Plugins in addition to the built-in ones. */
  readonly plugins?: readonly Plugin[];
  /** The records that the gateway file defines. */
  readonly overlay?: Saved;
  /** The clock for the server's time limits on clients. The default is the system clock. */
  readonly clock?: Clock;
}

export interface Asked {
  readonly method?: string;
  /** The default is the admin key. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
}

/** A response with its body parsed. */
export interface Answered {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect in it
  readonly body: any;
}

/** A gateway with a store, its first key and routes of the control plane. */
export interface ControlWorld extends KeyWorld {
  readonly parts: AllParts;
  readonly port: number;
  /** Sends a request to the path below `/v1`. With `json`, the default method is POST. */
  ask(path: string, asked?: Asked): Promise<Answered>;
}

export const controlWorld = async ({
  routes,
  plugins = [],
  overlay = nothingSaved,
  clock = systemClock,
}: ControlWorldOptions): Promise<ControlWorld> => {
  const world = await keyWorld();
  const folder = mkdtempSync(path.join(tmpdir(), 'gw-files-'));
  const { store } = world;
  const all = [...builtinPlugins, ...plugins];
  const catalogue = buildCatalogue(all);
  const sealer = await createSealer({ store, masterKey: newMasterKey() });
  const now = (): number => world.time.now;
  const settings = toFileSettings(undefined, path.join(folder, 'files'));
  const opened = await openFiles({
    settings,
    ...{ store, sealer, clock: { ...systemClock, wall: now } },
  });
  const remoteIds = createRemoteIds({ store, now });
  const parts: AllParts = {
    ...{
      store,
      sealer,
      now,
      blobs: opened.blobs,
      files: opened.files,
      fileLimits: settings,
      remoteIds,
      accountIds: { classify: async () => 'refused', mayAccess: async () => false },
      fileCopies: createFileCopies({ files: opened.files, remoteIds, store, now }),
    },
    pools: createSharedPools(),
    allowances: createAllowances(now),
    jobs: new StoredJobQueue({ store, clock: systemClock, say: () => {} }),
    principalNow: () => Promise.reject(new Error('This world asks nobody who they are later.')),
    sessions: {
      identifySession: () => undefined,
      identifyForSession: async () => undefined,
      lookNow: async () => {},
      audit: { signedIn: async () => {}, signedOut: async () => {}, refused: () => {} },
    },
    usageKept: async () => {},
    storedItems: { remove: async () => {} },
    overlay: { saved: overlay, configNames: () => [] },
    catalogue,
    wholeCatalogue: () => loadCatalogue(all),
    findHostError: (url) => checkHost(url, []),
    compile: async (text, { saved, name }) => compile(text, { trust: 'saved', catalogue, saved, name }),
    providerWarnings: async (_, provider) => hostWarnings(provider, catalogue),
    comparePlans: async (_, before, after) => planComparison(before, after),
    listCircuits: () => [],
    replayLogged: async (_, record, on) => (await loggedReplayer({ plugins: all, rules: {} }))(record, on),
    describeCatalogue: async () => JSON.parse(JSON.stringify(await describeCatalogue(await loadCatalogue(all)))),
    readView: () => Promise.reject(new Error('This world has no views.')),
    toSavedGuardrails: (rows) => toGuardrailParts(rows).guardrails,
  };
  const identity = createIdentity({
    read: keyReader(store),
    versions: () => store.versions(),
    watch: (run) => store.watch(run),
    clock: systemClock,
  });
  await identity.start();
  const service = createService({
    stageCode: wholeStages,
    pluginRoutes: createPluginRoutes,
    plugins: [...all, definePlugin({ name: 'control', routes: routes(parts) })],
    ports: {
      clock: systemClock,
      chance: seededChance,
      breakers: createMemoryBreakers({ clock: systemClock }),
      upstreams: createUpstreams({ trustedHosts: [] }),
    },
    secrets: () => undefined,
    loadCompiler: async () => () => ({ secrets: [], diagnostics: [] }),
    identities: [identity],
    open: false,
  });
  const server = await startGatewayServer({ host: '127.0.0.1', port: 0, service, clock });
  return {
    ...world,
    parts,
    port: server.port,
    async ask(path, { method, key = world.adminKey, headers = {}, json } = {}) {
      const answer = await fetch(`http://127.0.0.1:${server.port}/v1${path}`, {
        method: method ?? (json === undefined ? 'GET' : 'POST'),
        headers: {
          'x-gw-api-key': key,
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      });
      return { status: answer.status, body: await answer.json() };
    },
    async [Symbol.asyncDispose]() {
      await server.drain(0);
      await service.gateway.close();
      identity.close();
      await opened.close();
      rmSync(folder, { recursive: true, force: true });
      await world[Symbol.asyncDispose]();
    },
  };
};
