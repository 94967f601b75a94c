import { compile } from '../../../../../../compiler/compile.ts';
import { compileCaller } from '../../../../../../compiler/compile-caller.ts';
import { withDefaultHooks } from '../../../../../../compiler/with-default-hooks.ts';
import { builtinPlugins } from '../../../../../../plugins/builtin.ts';
import { createIdentity } from '../../../../../../plugins/control/access/keys/create-identity.ts';
import { keyReader } from '../../../../../../plugins/control/access/keys/key-principal.ts';
import { keyRoutes } from '../../../../../../plugins/control/access/keys/key-routes.ts';
import { collections } from '../../../../../../plugins/control/catalog/prompts/collections.ts';
import { labels } from '../../../../../../plugins/control/catalog/prompts/labels.ts';
import { promptRoutes } from '../../../../../../plugins/control/catalog/prompts/prompt-routes.ts';
import { createTenants } from '../../../../../../plugins/control/catalog/tenant-view/create-tenants.ts';
import { resourceRoutes } from '../../../../../../plugins/control/kernel/resource/resource-routes.ts';
import type { Exchange } from '../../../../../../plugins/sdk/exchange/exchange.ts';
import { buildCatalogue } from '../../../../../../plugins/sdk/plugin/catalogue.ts';
import { definePlugin } from '../../../../../../plugins/sdk/plugin/plugin.ts';
import type { AnyRouteRow } from '../../../../../../plugins/sdk/route/route-row.ts';
import { createPluginRoutes } from '../../../../../../runtime/control-routes/plugin-routes.ts';
import { wholeStages } from '../../../../../../runtime/engine/stages/whole-stages.ts';
import { createMemoryBreakers } from '../../../../../../runtime/in-memory/memory-breakers.ts';
import { seededChance } from '../../../../../../runtime/in-memory/seeded-chance.ts';
import { systemClock } from '../../../../../../runtime/in-memory/system-clock.ts';
import { startGatewayServer } from '../../../../../../runtime/server/node-http/gateway-server.ts';
import { createService } from '../../../../../../runtime/server/service.ts';
import { createTenantPlans } from '../../../../../../runtime/tenant-plans/tenant-plans.ts';
import { createUpstreams } from '../../../../../../runtime/upstream/upstreams.ts';
import { nothingSaved, type Saved } from '../../../../../../schema/config/saved.ts';
import { type KeyWorld, keyWorld } from '../../../support/key-world.ts';
import { resourceParts } from '../../../support/resource-parts.ts';

export interface Asked {
  readonly method?: string;
  /** The service key. The default is the admin key. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
}

/** A response with its parsed body. */
export interface Answered {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect in it
  readonly body: any;
  readonly headers: Headers;
}

/** A gateway with a store, its admin key, and the routes of prompts and keys. */
export interface PromptWorld extends KeyWorld {
  readonly origin: string;
  readonly routes: readonly AnyRouteRow[];
  /** The exchanges that have reached the data path. */
  readonly exchanges: readonly Exchange[];
  /** Sends a request to the path under `/v1`. With `json`, the default method is POST. */
  ask(path: string, asked?: Asked): Promise<Answered>;
  /** Creates a resource from the body and returns the response. Throws if it is refused. */
  make(
    path: string,
    json: object,
  ): Promise<{ readonly id: string; readonly slug: string; readonly version_id: string }>;
  /** Creates a key with these scopes, in a workspace if `more` names one. */
  keyWith(scopes: readonly string[], more?: object): Promise<string>;
}

/** What the gateway file saves: a virtual key and a provider, both of which echo the request. */
const savedWith = (more: Saved['virtualKeys']): Saved => ({
  ...nothingSaved,
  virtualKeys: { 'echo-key': { provider: 'echo' }, ...more },
  providers: { mirror: { provider: 'echo' } },
});

/** A chat prompt with one variable. */
export const chatPrompt: object = {
  name: 'Greeting',
  slug: 'greeting',
  string: JSON.stringify([{ role: 'user', content: 'Hello, {{who}}!' }]),
  parameters: { max_tokens: 50 },
  virtual_key: 'echo-key',
  model: 'echo',
};

/** Starts a gateway. `more` are additional virtual keys, and `trustedHosts` may be called although they are on this machine. */
export const promptWorld = async (
  more: Saved['virtualKeys'] = {},
  trustedHosts: readonly string[] = [],
): Promise<PromptWorld> => {
  const saved = savedWith(more);
  const world = await keyWorld();
  const { store } = world;
  const exchanges: Exchange[] = [];
  const catalogue = buildCatalogue(builtinPlugins);
  const shared = await resourceParts(store, () => world.time.now);
  const { sealer } = shared;
  const overlay = { saved, configNames: () => [] };
  const tenants = createTenants({ store, sealer, overlay, catalogue, clock: systemClock, pollMs: 20 });
  const identity = createIdentity({
    read: keyReader(store),
    versions: () => store.versions(),
    watch: (run) => store.watch(run),
    clock: systemClock,
  });
  await Promise.all([identity.start(), tenants.start()]);
  const parts = { store, now: () => world.time.now, overlay, readView: tenants.viewNow };
  const routes = [
    ...keyRoutes(parts),
    ...promptRoutes(parts),
    ...[labels, collections].flatMap((each) => resourceRoutes(each, { ...shared, ...parts })),
  ];
  const watcher = definePlugin({
    name: 'watcher',
    apply: (hooks) => hooks.beforeRoute.tapPromise('watcher', async (exchange) => void exchanges.push(exchange)),
  });
  const toCaller = (own: Saved) => (text: string) => compileCaller(text, { catalogue, saved: own });
  const service = createService({
    stageCode: wholeStages,
    pluginRoutes: createPluginRoutes,
    plugins: [...builtinPlugins, watcher, definePlugin({ name: 'control', routes })],
    ports: {
      clock: systemClock,
      chance: seededChance,
      breakers: createMemoryBreakers({ clock: systemClock }),
      upstreams: createUpstreams({ trustedHosts }),
    },
    secrets: () => undefined,
    loadCompiler: async () => toCaller(saved),
    tenants: {
      tenants,
      create: createTenantPlans,
      load: async (own) => ({
        withDefaultHooks: (plan, defaults) => withDefaultHooks(plan, defaults, catalogue),
        compileSaved: (text, name) => compile(text, { trust: 'saved', catalogue, saved: own, name }),
        compileCaller: toCaller(own),
      }),
    },
    identities: [identity],
    open: false,
  });
  const server = await startGatewayServer({ host: '127.0.0.1', port: 0, service, clock: systemClock });
  const origin = `http://127.0.0.1:${server.port}`;
  const ask: PromptWorld['ask'] = async (path, { method, key = world.adminKey, headers = {}, json } = {}) => {
    const answer = await fetch(`${origin}/v1${path}`, {
      method: method ?? (json === undefined ? 'GET' : 'POST'),
      headers: {
        'x-gw-api-key': key,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    return { status: answer.status, body: await answer.json(), headers: answer.headers };
  };
  const made = async (path: string, json: object) => {
    const { status, body } = await ask(path, { json });
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body;
  };
  return {
    ...world,
    origin,
    routes,
    exchanges,
    ask,
    make: made,
    keyWith: async (scopes, more = {}) => (await made('/api-keys', { name: 'a key', scopes, ...more })).key,
    async [Symbol.asyncDispose]() {
      await server.drain(0);
      await service.gateway.close();
      identity.close();
      tenants.close();
      await world[Symbol.asyncDispose]();
    },
  };
};
