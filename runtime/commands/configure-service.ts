import { dirname, resolve } from 'node:path';
import type { GatewayFile } from '../../schema/generated/gateway-file.ts';
import { configsFolder } from '../generations/configs-folder.ts';
import type { PlanSource } from '../generations/plan-source.ts';
import { plansFolder } from '../generations/plans-folder.ts';
import { createMemoryBreakers } from '../memory/memory-breakers.ts';
import { seededChance } from '../memory/seeded-chance.ts';
import { systemClock } from '../memory/system-clock.ts';
import { failureLog } from '../server/failure-log.ts';
import { hookLog } from '../server/hook-log.ts';
import { isLoopback } from '../server/is-loopback.ts';
import type { Limits } from '../server/limits.ts';
import { requestLog } from '../server/request-log.ts';
import { createService, type GatewayService } from '../server/service.ts';
import { serviceKeys } from '../server/service-keys.ts';
import { createUpstreams } from '../upstream/upstreams.ts';
import { createPrices } from '../usage/create-prices.ts';
import { cacheSettingsOf } from './cache-settings-of.ts';
import type { ReadEnvironment } from './read-environment.ts';
import { secretReader } from './secret-reader.ts';
import { ServeFailure } from './serve-failure.ts';
import type { ServeOptions } from './serve-options.ts';
import type { ServeCompiler, ServeServices } from './serve-services.ts';
import { serviceKeysOf } from './service-keys-of.ts';
import { wantedLogs } from './wanted-logs.ts';

export interface ConfigureServiceOptions {
  readonly options: ServeOptions;
  readonly environment: ReadEnvironment;
  readonly services: ServeServices;
  /** The host that it will listen on. */
  readonly host: string;
}

const loopbackHosts = ['localhost', '127.0.0.1', '::1'];

/**
 * The environment's list, else the gateway file's, else loopback if only this machine can call the gateway. A holder of
 * a service key may call from anywhere, and must not reach this machine's own services.
 */
const trustedHostsOf = (
  env: string | undefined,
  { trusted_hosts }: GatewayFile,
  onlyThisMachine: boolean,
): readonly string[] => {
  const listed = env?.split(',').flatMap((entry) => (entry.trim() === '' ? [] : [entry.trim()])) ?? trusted_hosts;
  return listed ?? (onlyThisMachine ? loopbackHosts : []);
};

const limitsOf = ({ limits = {} }: GatewayFile): Partial<Limits> => ({
  ...(limits.header_bytes === undefined ? {} : { headerBytes: limits.header_bytes }),
  ...(limits.config_bytes === undefined ? {} : { configBytes: limits.config_bytes }),
  ...(limits.body_bytes === undefined ? {} : { bodyBytes: limits.body_bytes }),
  ...(limits.bodies_bytes === undefined ? {} : { bodiesBytes: limits.bodies_bytes }),
  ...(limits.answer_bytes === undefined ? {} : { answerBytes: limits.answer_bytes }),
  ...(limits.idle_ms === undefined ? {} : { idleMs: limits.idle_ms }),
});

const sourceOf = (
  { options, environment, services }: ConfigureServiceOptions,
  compiler: () => Promise<ServeCompiler>,
): PlanSource | undefined => {
  if (options.plans !== undefined) return plansFolder(resolve(services.io.cwd, options.plans), environment.prepare);
  const { settings, file } = environment;
  if (settings.configs === undefined || file === undefined) return undefined;
  const folder = resolve(dirname(file), settings.configs);
  return configsFolder(folder, async (text, config) => (await compiler()).compileOperator(text, config));
};

/** Without service keys only this machine may call, unless the operator allows all callers. */
const checkExposure = (host: string, open: boolean, keys: readonly unknown[]): void => {
  if (keys.length > 0 || open || isLoopback(host)) return;
  throw new ServeFailure(
    `Without service keys the gateway listens on loopback only, and ${host} is not. List keys under auth.keys of the gateway file, or allow all callers: gw serve --open`,
  );
};

/** The whole gateway, except that it does not listen yet. Throws a `ServeFailure`. */
export const configureService = (parts: ConfigureServiceOptions): GatewayService => {
  const { options, environment, services, host } = parts;
  const { settings, plugins } = environment;
  const { env, stdout, stderr } = services.io;
  const secrets = secretReader(env);
  const keys = serviceKeysOf(settings, secrets);
  checkExposure(host, options.open, keys);
  const trustedHosts = trustedHostsOf(env.GW_TRUSTED_HOSTS, settings, isLoopback(host) && keys.length === 0);
  let compiler: Promise<ServeCompiler> | undefined;
  const loadCompiler = (): Promise<ServeCompiler> => {
    compiler ??= services.compiler(environment);
    return compiler;
  };
  const source = sourceOf(parts, loadCompiler);
  const logged = { clock: systemClock, write: stdout };
  const wanted = wantedLogs(env.GW_LOG);
  const log = [
    ...(wanted.has('requests') ? [requestLog(logged)] : []),
    ...(wanted.has('hooks') ? [hookLog(logged)] : []),
  ];
  return createService({
    plugins: [...plugins, failureLog(stderr), ...log],
    ports: {
      clock: systemClock,
      chance: seededChance,
      breakers: createMemoryBreakers({ clock: systemClock }),
      upstreams: createUpstreams({ trustedHosts, clock: systemClock }),
      prices: createPrices(settings.prices),
    },
    secrets,
    loadCompiler: async () => {
      const { compileCaller } = await loadCompiler();
      return compileCaller;
    },
    limits: limitsOf(settings),
    open: options.open,
    tell: (text) => stderr(`gw: ${text}\n`),
    ...(settings.pass_through === undefined ? {} : { passThrough: settings.pass_through }),
    ...(settings.on_loss === undefined ? {} : { onLoss: settings.on_loss }),
    ...(settings.prompt_cache === undefined ? {} : { promptCache: settings.prompt_cache }),
    cache: cacheSettingsOf(settings, {
      read: secrets,
      compile: async (text) => (await loadCompiler()).compileOperator(text, 'cache.semantic'),
    }),
    ...(settings.usage === undefined ? {} : { usage: settings.usage }),
    ...(source === undefined ? {} : { source }),
    identities: keys.length === 0 ? [] : [{ identify: serviceKeys(keys) }],
    ...(settings.default_config === undefined ? {} : { defaultConfig: settings.default_config }),
  });
};
