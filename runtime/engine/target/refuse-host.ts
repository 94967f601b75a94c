import { gatewayError } from '../../../schema/errors/errors.ts';
import type { Upstreams } from '../../ports/upstreams.ts';

/**
 * Where callers name hosts. The header applies to every target, so its host is judged once, before there is a plan. This includes
 * requests that reach no target, such as `GET /models`. A config's host, or one that settings determine, is judged by the target
 * that names it, so that another target may still serve.
 */
export type HostField = 'x-gw-custom-host' | 'custom_host' | 'settings';

const forOperators = 'The operator can list it in GW_TRUSTED_HOSTS if that is set, otherwise under trusted_hosts.';
const forCallers = 'Use a URL such as https://models.example.com/v1.';

/**
 * Throws the `GatewayError` `host-not-allowed` if callers may not send requests to this base URL. The address that its host
 * resolves to is checked when connecting.
 */
export const refuseHost = (upstreams: Pick<Upstreams, 'findHostError'>, field: HostField, baseUrl: string): void => {
  const error = upstreams.findHostError?.(baseUrl);
  if (error === undefined) return;
  // Only the host of a caller's URL is shown, because the rest may contain a secret.
  const named = URL.canParse(baseUrl) ? new URL(baseUrl).host : '';
  throw gatewayError('host-not-allowed', {
    host: named === '' ? `of ${field}` : named,
    reason: error.reason,
    suggestion: error.listable ? forOperators : forCallers,
  });
};
