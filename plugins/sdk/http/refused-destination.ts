import { type GatewayError, gatewayError } from '../../../schema/errors/errors.ts';

/** Where a credential would be sent. */
export interface CredentialPlace {
  readonly target: string;
  readonly path: string;
}

/** Shows only the host of a caller's URL, because the rest may contain a secret. */
const toHost = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'a host');

/**
 * Creates the `GatewayError` `credential-origin-mismatch`, for a request that chooses where a saved credential is sent, or what
 * is sent with it. `url` is the chosen URL; undefined if the request only names headers to forward.
 */
export const refusedDestination = ({ target, path }: CredentialPlace, url: string | undefined): GatewayError => {
  const chooser = 'the request';
  if (url !== undefined)
    return gatewayError('credential-origin-mismatch', {
      ...{ target, path, chooser, host: toHost(url) },
      suggestion: 'Send your own credential with that host, or omit the host.',
    });
  return gatewayError('credential-origin-mismatch', {
    ...{ target, path, chooser, host: 'a provider together with x-gw-forward-headers' },
    suggestion:
      'Name these headers as "forward_headers" in a config of the gateway that names this provider, or send your own credential.',
  });
};
