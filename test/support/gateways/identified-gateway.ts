import { compile } from '../../../compiler/compile.ts';
import { compileCaller } from '../../../compiler/compile-caller.ts';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import type { Identities } from '../../../plugins/sdk/control-plane/identities.ts';
import { buildCatalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import { wholeStages } from '../../../runtime/engine/stages/whole-stages.ts';
import { createFileModels } from '../../../runtime/file-plans/file-models.ts';
import { createMemoryBreakers } from '../../../runtime/in-memory/memory-breakers.ts';
import { seededChance } from '../../../runtime/in-memory/seeded-chance.ts';
import { systemClock } from '../../../runtime/in-memory/system-clock.ts';
import { requestLog } from '../../../runtime/server/logs/request-log.ts';
import { startGatewayServer } from '../../../runtime/server/node-http/gateway-server.ts';
import { createService, type GatewayServiceOptions } from '../../../runtime/server/service.ts';
import { createUpstreams } from '../../../runtime/upstream/upstreams.ts';
import { aliasConfig } from '../../../schema/config/alias-config.ts';
import type { VirtualModels } from '../../../schema/config/virtual-models.ts';
import type { JsonObject } from '../../../schema/json/json.ts';

const catalogue = buildCatalogue(builtinPlugins);

export interface IdentifiedGateway extends AsyncDisposable {
  readonly origin: string;
  /** The entries of the request log. */
  readonly lines: readonly JsonObject[];
}

/** Starts a complete gateway whose callers come from these sources, with the operator's configs by name. */
export const startIdentifiedGateway = async (
  identities: readonly Identities[],
  configs: Readonly<Record<string, object>>,
  {
    limiter,
    limits = {},
    models = {},
  }: Pick<GatewayServiceOptions, 'limiter' | 'limits'> & { readonly models?: VirtualModels } = {},
): Promise<IdentifiedGateway> => {
  const lines: JsonObject[] = [];
  const service = createService({
    stageCode: wholeStages,
    plugins: [...builtinPlugins, requestLog({ clock: systemClock, write: (line) => lines.push(JSON.parse(line)) })],
    ports: {
      clock: systemClock,
      chance: seededChance,
      breakers: createMemoryBreakers({ clock: systemClock }),
      upstreams: createUpstreams({ trustedHosts: ['127.0.0.1'] }),
    },
    secrets: (ref) => `the value of ${ref}`,
    source: {
      folder: 'configs',
      read: async () =>
        Object.entries(configs).map(([name, config]) => ({ name, file: `${name}.json`, text: JSON.stringify(config) })),
      toPlan: ({ name, text }) => compile(text, { trust: 'operator', catalogue, file: `${name}.json`, name }),
    },
    loadCompiler: async () => (text) => compileCaller(text, { catalogue }),
    identities,
    open: false,
    limits,
    ...(limiter === undefined ? {} : { limiter }),
    models: createFileModels(models, {
      toSource: (name, target) => ({ name, file: 'gateway.json', text: aliasConfig(name, target, { providers: {} }) }),
      toPlan: ({ text }) => compile(text, { trust: 'operator', catalogue }),
    }),
  });
  const findings = await service.generations.reload();
  if (service.generations.current.entries.size < Object.keys(configs).length)
    throw new Error(findings.flatMap(({ reason = [] }) => reason).join('\n'));
  const server = await startGatewayServer({ host: '127.0.0.1', port: 0, service, clock: systemClock });
  return {
    origin: `http://127.0.0.1:${server.port}`,
    lines,
    [Symbol.asyncDispose]: async () => {
      await server.drain(0);
      await service.gateway.close();
    },
  };
};
