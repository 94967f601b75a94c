import { compile } from '../../../compiler/compile.ts';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import { buildCatalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import { wholeStages } from '../../../runtime/engine/stages/whole-stages.ts';
import { createMemoryBreakers } from '../../../runtime/in-memory/memory-breakers.ts';
import { systemClock } from '../../../runtime/in-memory/system-clock.ts';
import type { Chance } from '../../../runtime/ports/chance.ts';
import type { Upstreams } from '../../../runtime/ports/upstreams.ts';
import { startGatewayServer } from '../../../runtime/server/node-http/gateway-server.ts';
import { createService } from '../../../runtime/server/service.ts';
import { createUpstreams } from '../../../runtime/upstream/upstreams.ts';
import type { Saved } from '../../../schema/config/saved.ts';
import type { CompileResult, RoutingPlan } from '../../../schema/plan/plan.ts';
import type { RealConfig } from '../real-configs.ts';
import { partnerSecrets } from './corrected.ts';
import { dialledHeader } from './vendors.ts';

const catalogue = buildCatalogue(builtinPlugins);

/** Compiles a config as an operator's, with the records that the gateway file saves. */
export const compileReal = ({ name, text }: RealConfig, saved: Saved): CompileResult =>
  compile(text, { trust: 'operator', catalogue, saved, file: `${name}.json`, name });

/** Redirects every origin to one loopback port, and sends the original origin in a header. */
const redirected = (origin: string): Upstreams => {
  const upstreams = createUpstreams({ trustedHosts: ['127.0.0.1'] });
  return {
    ...upstreams,
    open: (dialled, options) => {
      const upstream = upstreams.open(origin, options);
      return {
        send: (request, scope) =>
          upstream.send({ ...request, headers: [...request.headers, dialledHeader, dialled] }, scope),
      };
    },
  };
};

/** The embedding provider that the gateway file of a semantic cache names. */
const vectorsPlan = async (saved: Saved): Promise<RoutingPlan> => {
  const text = JSON.stringify({ provider: '@YOUR_PROVIDER', override_params: { model: 'text-embedding-3-small' } });
  const { plan } = compileReal({ name: 'vectors', text }, saved);
  if (plan === undefined) throw new Error('There are no vectors.');
  return plan;
};

/** A gateway that serves configs, whose load balances draw what a test requests. */
export interface RunningConfigs {
  readonly baseUrl: string;
  draw(draws: ReadonlyMap<string, number>): void;
  close(): Promise<void>;
}

export interface StartConfigs {
  readonly configs: readonly RealConfig[];
  readonly saved: Saved;
  /** The origin that serves all hosts. */
  readonly origin: string;
}

export const startConfigs = async ({ configs, saved, origin }: StartConfigs): Promise<RunningConfigs> => {
  let draws: ReadonlyMap<string, number> = new Map();
  const chance: Chance = {
    pick: ({ path }) => draws.get(path) ?? 0,
    between: (_at, from) => from,
  };
  const service = createService({
    stageCode: wholeStages,
    plugins: builtinPlugins,
    ports: {
      clock: systemClock,
      chance,
      breakers: createMemoryBreakers({ clock: systemClock }),
      upstreams: redirected(origin),
    },
    secrets: (ref) => partnerSecrets.get(ref) ?? `the value of ${ref}`,
    source: {
      folder: '',
      read: async () => configs.map(({ name, text }) => ({ name, file: `${name}.json`, text })),
      toPlan: (source) => compileReal(source, saved),
    },
    loadCompiler: async () => () => {
      throw new Error("All configs are the operator's.");
    },
    cache: { semantic: { model: 'text-embedding-3-small', plan: () => vectorsPlan(saved) } },
    open: false,
  });
  await service.generations.reload();
  const server = await startGatewayServer({ host: '127.0.0.1', port: 0, service, clock: systemClock });
  return {
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    draw: (next) => {
      draws = next;
    },
    close: async () => {
      await server.drain(0);
      await service.gateway.close();
    },
  };
};
