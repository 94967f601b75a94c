import { findUnusedProxy } from '../../../../runtime/cli/settings/find-unused-proxy.ts';
import { isSecretRef } from '../../../../runtime/cli/settings/secret-reader.ts';
import { ServeFailure } from '../../../../runtime/cli/settings/serve-failure.ts';
import { proxyPlace, toEgressRules } from '../../../../runtime/cli/settings/to-egress-rules.ts';
import { byEnvironment, findProxies } from '../../../../runtime/upstream/outbound-proxy.ts';
import type { ProxyAddress } from '../../../../runtime/upstream/proxy-address.ts';
import { connectError } from '../../set-up/connect-error.ts';
import { type Check, type Finding, splitAdvice } from '../../set-up/finding.ts';
import type { OriginProbe, SetUp } from '../../set-up/set-up.ts';
import { toReport } from '../../set-up/to-report.ts';

const unusedFindings = ({ env }: SetUp): readonly Finding[] => {
  const unused = findUnusedProxy(env);
  if (unused === undefined) return [];
  const { names, what, remedy } = unused;
  return [{ severity: 'warning', subject: names.join(', '), what, remedy }];
};

const remedies: readonly (readonly [reason: RegExp, remedy: (hosts: string) => string])[] = [
  [
    /requires a user name/,
    () =>
      'Put the user name and the password into its URL, http://USER:PASSWORD@HOST:PORT, which must then be a reference: "proxy": "${env:GW_PROXY}".',
  ],
  [
    /user name and password/,
    () => 'Correct the user name and the password in its URL; special characters are written as %40.',
  ],
  [
    /refused to connect/,
    (hosts) =>
      `Have the proxy allow CONNECT to ${hosts}; or list in NO_PROXY what this machine reaches without the proxy.`,
  ],
  [
    /certificate/,
    () => 'Name a file with the certificate of its authority in "trusted_authorities" of the gateway file.',
  ],
  [/not HTTP|closed|TLS/, () => 'Check its port, and whether its URL begins with http:// or https://.'],
];

const elsewise = 'Check the address and the port of the proxy, and that a firewall lets this machine connect to it.';

interface Failure {
  readonly host: string;
  readonly proxy: string;
  readonly reason: string;
}

const toFailure = ({ host, answer }: OriginProbe): readonly Failure[] => {
  if (answer.kind !== 'failed') return [];
  const { code, params } = toReport(answer.error, host);
  return code === 'proxy-failed' ? [{ host, proxy: String(params?.proxy), reason: String(params?.reason) }] : [];
};

/** Reports each failure of a proxy once, for all hosts. */
const failureFindings = (probes: readonly OriginProbe[]): readonly Finding[] =>
  [...Map.groupBy(probes.flatMap(toFailure), ({ proxy, reason }) => `${proxy}: ${reason}`).values()].map((failures) => {
    const hosts = failures.map(({ host }) => host).join(', ');
    const { proxy: name = '', reason = '' } = failures[0] ?? {};
    const [, remedy] = remedies.find(([pattern]) => pattern.test(reason)) ?? [];
    return {
      severity: 'error',
      subject: `"proxy" (${hosts})`,
      what: `The proxy ${name} cannot reach ${hosts}: ${reason}`,
      remedy: remedy?.(hosts) ?? elsewise,
    };
  });

/** Reports proxies that no provider is reached through and that do not accept connections. */
const untriedFindings = async (proxies: readonly ProxyAddress[], timeoutMs: number): Promise<readonly Finding[]> => {
  const all = [...new Map(proxies.map((each) => [each.host, each])).values()];
  const found = await Promise.all(
    all.map(async ({ host, hostname, port }): Promise<readonly Finding[]> => {
      const code = await connectError({ host: hostname, port }, timeoutMs);
      if (code === undefined) return [];
      return [
        {
          severity: 'error',
          subject: '"proxy"',
          what: `The proxy ${host} cannot be reached (${code}).`,
          remedy: elsewise,
        },
      ];
    }),
  );
  return found.flat();
};

const proxyFindings = async (setUp: SetUp, setting: string): Promise<readonly Finding[]> => {
  const { env, secrets: read, settings, isOffline, timeoutMs } = setUp;
  const { proxy } = toEgressRules(settings, { env, read });
  const proxies = Object.values(
    findProxies({ setting, place: proxyPlace, env, read: (text) => (isSecretRef(text) ? read(text) : text) }),
  );
  if (proxies.length === 0)
    return [
      {
        severity: 'warning',
        subject: '"proxy"',
        what: 'The gateway file leaves the proxy to the environment, which names none: the gateway connects to providers itself.',
        remedy: `Set HTTPS_PROXY in the environment of the gateway, or remove "proxy": "${byEnvironment}".`,
      },
    ];
  if (isOffline) return [];
  const probes = await setUp.probes().catch(() => []);
  const isTried = probes.some(({ origin }) => {
    const { hostname, port, protocol } = new URL(origin);
    const at = Number(port) || (protocol === 'https:' ? 443 : 80);
    return proxy?.covers({ hostname: hostname.replace(/^\[|\]$/g, ''), port: at, protocol }) === true;
  });
  return isTried ? failureFindings(probes) : untriedFindings(proxies, timeoutMs);
};

export const proxy: Check = {
  id: 'proxy',
  description:
    'the outbound proxy: one in the environment that is not used, or one that does not answer, requires a password, or blocks a provider',
  needsNoFile: true,
  async run(setUp) {
    const { proxy: setting } = setUp.settings;
    if (setting === undefined) return unusedFindings(setUp);
    try {
      return await proxyFindings(setUp, setting);
    } catch (error) {
      if (!(error instanceof ServeFailure)) throw error;
      // A reference without a value is reported by the check of secrets.
      if (error.message.includes('which is not set')) return [];
      return [{ severity: 'error', subject: '"proxy"', ...splitAdvice(error.message) }];
    }
  },
};
