import type { SavedProblem } from '../../compiler/gateway-file/check-saved.ts';
import { secretReader } from '../../runtime/cli/settings/secret-reader.ts';
import type { Saved } from '../../schema/config/saved.ts';
import type { GatewayFile } from '../../schema/generated/gateway-file.ts';
import { childPointer, rootPointer } from '../../schema/json/pointer.ts';

const code = 'unusable-tls';

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
    ...unusable.map(({ pointer, message, hint }) => ({ code, pointer, message, hint })),
  ];
};

/** Finds settings for all connections that cannot be used, as far as that can be seen without the environment. */
export const egressProblems = async ({
  proxy,
  trusted_authorities: authorities,
}: GatewayFile): Promise<readonly SavedProblem[]> => {
  if (proxy === undefined && authorities === undefined) return [];
  const [{ readProxyAddress }, { byEnvironment }, { findTlsProblem }] = await Promise.all([
    import('../../runtime/upstream/proxy/proxy-address.ts'),
    import('../../runtime/upstream/proxy/outbound-proxy.ts'),
    import('../../runtime/upstream/find-tls-problem.ts'),
  ]);
  const isUrl = proxy !== undefined && proxy !== byEnvironment && !proxy.startsWith('${');
  const read = isUrl ? readProxyAddress(proxy) : undefined;
  const ca = authorities === undefined ? undefined : findTlsProblem({ ca: authorities }, secretReader(process.env));
  return [
    ...(read !== undefined && 'problem' in read
      ? [
          {
            ...{ code: 'invalid-proxy', pointer: childPointer(rootPointer, 'proxy') },
            message: `"proxy" is not the URL of a proxy. ${read.problem}`,
            hint: 'Write it as http://proxy.example:3128.',
          },
        ]
      : []),
    ...(ca === undefined || ca.isMissing
      ? []
      : [
          {
            ...{ code, pointer: childPointer(rootPointer, 'trusted_authorities') },
            message: ca.message.replaceAll('"ca"', '"trusted_authorities"'),
            hint: ca.hint,
          },
        ]),
  ];
};
