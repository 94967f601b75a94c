import type { HostError } from '../../../plugins/sdk/http/host-error.ts';
import type { Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import type { Provider } from '../../../plugins/sdk/provider/provider.ts';
import type { SinkHttp } from '../../../plugins/sdk/sink/sink.ts';
import type { GatewayFile } from '../../../schema/generated/gateway-file.ts';
import { toTrustedHosts } from '../../../schema/http/is-trusted.ts';
import type { Target } from '../../../schema/plan/plan.ts';
import { prepareOwn, type TargetContext } from '../../engine/target/linked-target.ts';
import type { PreparedTarget } from '../../engine/target/prepared-target.ts';
import { createPreparedTargets } from '../../engine/target/prepared-targets.ts';
import { systemClock } from '../../in-memory/system-clock.ts';
import { checkHost } from '../../upstream/check-host.ts';
import { createUpstreams, type EgressRules } from '../../upstream/upstreams.ts';
import { type SecretReader, secretReader } from '../settings/secret-reader.ts';

/** Calls of a command, with the secrets and hosts of a gateway with the same settings. */
export interface CommandCalls {
  /**
   * `slots` are the secrets in the target's own text. Throws the `GatewayError` that explains why the target cannot be called.
   */
  prepare(target: Target, slots: readonly string[]): PreparedTarget;
  /** Sends messages to receivers of alerts. */
  readonly http: SinkHttp;
  /** Closes all connections. */
  close(): Promise<void>;
}

export interface OwnCallsOptions {
  readonly plugins: readonly Plugin[];
  readonly settings: GatewayFile;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The hosts that may be private. Default: as for a gateway that listens on loopback. */
  readonly trustedHosts?: readonly string[];
}

/** Returns the gateway file's rules for connections. Undefined if it has none. Rejects with a `ServeFailure`. */
export const openEgressRules = async (
  settings: GatewayFile,
  sources: { readonly env: OwnCallsOptions['env']; readonly read: SecretReader },
): Promise<EgressRules | undefined> => {
  if (settings.proxy === undefined && settings.trusted_authorities === undefined) return undefined;
  const { toEgressRules } = await import('../settings/to-egress-rules.ts');
  return toEgressRules(settings, sources);
};

/** Rejects with a `ServeFailure` if the settings for connections cannot be used. */
export const openCommandCalls = async ({
  plugins,
  settings,
  env,
  trustedHosts: given,
}: OwnCallsOptions): Promise<CommandCalls> => {
  const onlyThisMachine = (settings.auth?.keys ?? []).length === 0 && settings.store === undefined;
  const trustedHosts = given ?? toTrustedHosts(env.GW_TRUSTED_HOSTS, settings, onlyThisMachine);
  const secrets = secretReader(env);
  const egress = await openEgressRules(settings, { env, read: secrets });
  const { receiverHttp } = await import('./receiver-http.ts');
  const upstreams = createUpstreams({ trustedHosts, clock: systemClock, secrets, egress });
  const providers = new Map<string, Provider>();
  for (const { providers: own = [] } of plugins) for (const each of own) providers.set(each.id, each);
  const nothing = (): undefined => undefined;
  const context: TargetContext = {
    ports: { upstreams },
    names: {
      provider: (id) => providers.get(id),
      ...{ declaration: nothing, dialect: nothing, check: nothing, cache: nothing, chooser: nothing },
    },
    ...{ secrets, prepared: createPreparedTargets(systemClock) },
    ...{ callerPlan: false, suggestProvider: () => '' },
  };
  return {
    prepare: (target, slots) => prepareOwn(target, context, slots),
    http: receiverHttp(upstreams),
    close: () => upstreams.close(),
  };
};

/** Returns why calls with settings that trust no hosts are not sent to this base URL. Undefined if they are. */
export const findHostError = (baseUrl: string): HostError | undefined => checkHost(baseUrl, []);
