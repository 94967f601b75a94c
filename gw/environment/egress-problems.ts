import type { SavedProblem } from '../../compiler/gateway-file-checks/check-saved.ts';
import { secretReader } from '../../runtime/cli/settings/secret-reader.ts';
import type { Saved } from '../../schema/config/saved.ts';
import type { GatewayFile } from '../../schema/generated/gateway-file.ts';
import { isLoopback } from '../../schema/http/is-loopback.ts';
import { type FindUntrusted, withoutBrackets } from '../../schema/http/is-trusted.ts';
import { childPointer, rootPointer } from '../../schema/json/pointer.ts';

/**
 * Reports TLS settings of saved providers that cannot be used. Files that are missing here, as on a machine that only checks, are
 * not reported.
 */
export const tlsProblems = async (
  settings: GatewayFile,
  { providers, virtualKeys }: Saved,
): Promise<readonly SavedProblem[]> => {
  if ([...Object.values(providers), ...Object.values(virtualKeys)].every(({ tls }) => tls === undefined)) return [];
  const [{ checkTls }, { findUnusableTls }] = await Promise.all([
    import('../../compiler/gateway-file-checks/check-tls.ts'),
    import('../../runtime/cli/settings/find-unusable-tls.ts'),
  ]);
  const unusable = findUnusableTls(settings, secretReader(process.env)).filter(({ isMissing }) => !isMissing);
  return [
    ...checkTls('providers', providers),
    ...checkTls('virtual_keys', virtualKeys),
    ...unusable.map(({ pointer, message, hint }) => ({ code: 'unusable-tls' as const, pointer, message, hint })),
  ];
};

/** Whether a host is an address, or this machine. Other names are resolved where the gateway runs. */
const isLiteral = (hostname: string): boolean => /^(?:\[.*\]|\d+(?:\.\d+){3}|localhost|.*\.localhost)$/.test(hostname);

/**
 * Explains why a host that was called before a key was added is no longer called. It is short, because a finding shows only 120
 * characters of a reason.
 */
const ownMachine = ' With keys, a store or other trusted hosts, this machine must be listed too.';

/**
 * Returns the function that finds hosts to which nothing is sent, because they are not public and the operator does not trust
 * them.
 */
export const untrustedFinder = async (settings: GatewayFile): Promise<FindUntrusted> => {
  const [{ checkHost }, { servedTrustedHosts }] = await Promise.all([
    import('../../runtime/upstream/check-host.ts'),
    import('../../runtime/cli/settings/to-service-keys.ts'),
  ]);
  const host = settings.listen?.host ?? 'localhost';
  const trusted = servedTrustedHosts(settings, { env: process.env, host, hasStore: settings.store !== undefined });
  // A proxy resolves names itself; without one, a name without a dot belongs to the private network.
  const isJudged = (hostname: string): boolean =>
    isLiteral(hostname) || (settings.proxy === undefined && !hostname.includes('.'));
  return (url) => {
    const { hostname } = URL.canParse(url) ? new URL(url) : { hostname: '' };
    const error = isJudged(hostname) ? checkHost(url, trusted) : undefined;
    if (error?.listable !== true) return undefined;
    return isLoopback(withoutBrackets(hostname)) ? `${error.reason}${ownMachine}` : error.reason;
  };
};

/** Reports settings for all connections that cannot be used, as far as that can be determined without the environment. */
export const egressProblems = async ({
  proxy,
  trusted_authorities: authorities,
}: GatewayFile): Promise<readonly SavedProblem[]> => {
  if (proxy === undefined && authorities === undefined) return [];
  const [{ readProxyAddress }, { byEnvironment }, { findAuthorityProblem }] = await Promise.all([
    import('../../runtime/upstream/proxy-address.ts'),
    import('../../runtime/upstream/outbound-proxy.ts'),
    import('../../runtime/upstream/find-tls-problem.ts'),
  ]);
  const isUrl = proxy !== undefined && proxy !== byEnvironment && !proxy.startsWith('${');
  const read = isUrl ? readProxyAddress(proxy) : undefined;
  const ca =
    authorities === undefined
      ? undefined
      : findAuthorityProblem(authorities, secretReader(process.env), '"trusted_authorities"');
  return [
    ...(read !== undefined && 'problem' in read
      ? [
          {
            ...({ code: 'invalid-proxy', pointer: childPointer(rootPointer, 'proxy') } as const),
            message: `"proxy" is not the URL of a proxy. ${read.problem}`,
            hint: 'Write it as http://proxy.example:3128.',
          },
        ]
      : []),
    ...(ca === undefined || ca.isMissing
      ? []
      : [
          {
            ...({ code: 'unusable-tls', pointer: childPointer(rootPointer, 'trusted_authorities') } as const),
            message: ca.message,
            hint: ca.hint,
          },
        ]),
  ];
};
