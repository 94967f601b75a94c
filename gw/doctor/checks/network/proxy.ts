import type { Check, Finding } from '../../set-up/finding.ts';

const variables = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'] as const;

export const proxy: Check = {
  id: 'proxy',
  looksAt: 'an outbound proxy in the environment, which the gateway does not use',
  needsNoFile: true,
  run({ env }): readonly Finding[] {
    const set = variables.filter((name) => env[name]);
    const isForced = env.NODE_USE_ENV_PROXY === '1' || env.NODE_OPTIONS?.includes('--use-env-proxy') === true;
    if (set.length === 0) return [];
    return [
      {
        severity: 'warning',
        subject: set.join(', '),
        what: `The environment names an outbound proxy, and the gateway connects to providers itself${isForced ? ', also with NODE_USE_ENV_PROXY' : ''}.`,
        remedy: `Let this machine connect to the providers, or set "custom_host" of each to an address that forwards to it; then unset ${set.join(' and ')} for the gateway.`,
      },
    ];
  },
};
