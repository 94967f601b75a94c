import { proxyVariables } from '../../upstream/outbound-proxy.ts';

const variables = [...new Set([...proxyVariables.https, ...proxyVariables.http])];

/** Variables that name a proxy that the gateway does not use. */
export interface UnusedProxy {
  readonly names: readonly string[];
  /** A sentence. */
  readonly what: string;
  /** An instruction: another sentence. */
  readonly remedy: string;
}

/** Finds the variables that name a proxy, if the gateway file has no `proxy`. Their values are not shown. */
export const findUnusedProxy = (env: Readonly<Record<string, string | undefined>>): UnusedProxy | undefined => {
  const names = variables.filter((name) => env[name]);
  if (names.length === 0) return undefined;
  const isForced = env.NODE_USE_ENV_PROXY === '1' || env.NODE_OPTIONS?.includes('--use-env-proxy') === true;
  return {
    names,
    what: `The environment names an outbound proxy, but the gateway connects to providers directly${isForced ? ', even with NODE_USE_ENV_PROXY' : ''}, because the gateway file has no "proxy".`,
    remedy: `Add "proxy": "environment" to the gateway file. If this machine should connect to the providers directly, unset ${names.join(' and ')} for the gateway.`,
  };
};
