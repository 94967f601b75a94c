import { LRUCache } from 'lru-cache';
import { gatewayError } from '../../schema/errors.ts';
import { checkHost } from '../upstream/check-host.ts';

/** The number of hosts whose result is cached. */
const capacity = 1000;

const allowed = '';

const forOperators = 'The operator can list it in GW_TRUSTED_HOSTS or under trusted_hosts.';
const forCallers = 'Use a URL such as https://models.example.com/v1.';

/**
 * Checks a host that a caller chose before anything is sent to it. Throws the `GatewayError` `host-not-allowed`. The
 * address that it resolves to is checked when connecting.
 */
export const callerHostCheck = (trusted: readonly string[]): ((host: string) => void) => {
  const reasons = new LRUCache<string, string>({ max: capacity });
  return (host) => {
    let reason = reasons.get(host);
    if (reason === undefined) {
      reason = checkHost(host, trusted) ?? allowed;
      reasons.set(host, reason);
    }
    if (reason === allowed) return;
    // Only the host of a caller's URL is shown: the rest may contain a secret.
    const named = URL.canParse(host) ? new URL(host).host : '';
    const isUsable = named !== '' && checkHost(host, [named]) === undefined;
    throw gatewayError('host-not-allowed', {
      host: named === '' ? 'of x-gw-custom-host' : named,
      reason,
      suggestion: isUsable ? forOperators : forCallers,
    });
  };
};
