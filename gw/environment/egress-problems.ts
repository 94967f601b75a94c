import type { SavedProblem } from '../../compiler/gateway-file/check-saved.ts';
import { secretReader } from '../../runtime/cli/settings/secret-reader.ts';
import type { Saved } from '../../schema/config/saved.ts';
import type { GatewayFile } from '../../schema/generated/gateway-file.ts';
import { childPointer, rootPointer } from '../../schema/json/pointer.ts';

/** Finds TLS settings of saved providers that cannot be used. What is not here, as on a machine that only checks, is not judged. */
export const tlsProblems = async (
  settings: GatewayFile,
  { providers, virtualKeys }: Saved,
): Promise<readonly SavedProblem[]> => {
  if ([...Object.values(providers), ...Object.values(virtualKeys)].every(({ tls }) => tls === undefined)) return [];
  const [{ checkTls }, { findUnusableTls }] = await Promise.all([
    import('../../compiler/gateway-file/check-tls.ts'),
    import('../../runtime/cli/settings/find-unusable-tls.ts'),
  ]);
  const unusable = findUnusableTls(settings, secretReader(process.env)).filter(({ isMissing }) => !isMissing);
  return [
    ...checkTls('providers', providers),
    ...checkTls('virtual_keys', virtualKeys),
    ...unusable.map(({ pointer, message, hint }) => ({ code: 'unusable-tls' as const, pointer, message, hint })),
  ];
};

/** A host that is an address, or this machine: names of networks are resolved where the gateway runs. */
const isLiteral = (hostname: string): boolean => /^(?:\[.*\]|\d+(?:\.\d+){3}|localhost|.*\.localhost)$/.test(hostname);

/** Finds saved providers that nothing is sent to, since their hosts are not public and the operator trusts none of them. */
export const hostProblems = async (
  settings: GatewayFile,
  { providers, virtualKeys }: Saved,
): Promise<readonly SavedProblem[]> => {
  const named = Object.entries({ providers, virtual_keys: virtualKeys }).flatMap(([member, saved]) =>
    Object.entries(saved).flatMap(([name, { settings: own }]) => {
      const url = own?.custom_host;
      return typeof url === 'string' && URL.canParse(url) && isLiteral(new URL(url).hostname)
        ? [{ url, pointer: childPointer(rootPointer, member, name, 'settings', 'custom_host') }]
        : [];
    }),
  );
  if (named.length === 0) return [];
  const [{ checkHost }, { servedTrustedHosts }] = await Promise.all([
    import('../../runtime/upstream/check-host.ts'),
    import('../../runtime/cli/settings/to-service-keys.ts'),
  ]);
  const host = settings.listen?.host ?? 'localhost';
  const trusted = servedTrustedHosts(settings, { env: process.env, host, hasStore: settings.store !== undefined });
  return named.flatMap(({ url, pointer }) => {
    const error = checkHost(url, trusted);
    if (error?.listable !== true) return [];
    const { host: shown } = new URL(url);
    return [
      {
        ...{ code: 'untrusted-host', severity: 'warning', pointer },
        message: `Nothing is sent to ${shown}, and requests that need it are answered with 502: ${error.reason}`,
        hint: `Add "${shown}" to "trusted_hosts" of this file, or to GW_TRUSTED_HOSTS, which takes the place of that list.`,
      } as const,
    ];
  });
};

/** Finds settings for all connections that cannot be used, as far as that can be seen without the environment. */
export const egressProblems = async ({
  proxy,
  trusted_authorities: authorities,
}: GatewayFile): Promise<readonly SavedProblem[]> => {
  if (proxy === undefined && authorities === undefined) return [];
  const [{ readProxyAddress }, { byEnvironment }, { findTlsProblem }] = await Promise.all([
    import('../../runtime/upstream/proxy-address.ts'),
    import('../../runtime/upstream/outbound-proxy.ts'),
    import('../../runtime/upstream/find-tls-problem.ts'),
  ]);
  const isUrl = proxy !== undefined && proxy !== byEnvironment && !proxy.startsWith('${');
  const read = isUrl ? readProxyAddress(proxy) : undefined;
  const ca = authorities === undefined ? undefined : findTlsProblem({ ca: authorities }, secretReader(process.env));
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
            message: ca.message.replaceAll('"ca"', '"trusted_authorities"'),
            hint: ca.hint,
          },
        ]),
  ];
};
