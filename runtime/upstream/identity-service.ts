import type { UpstreamRequest } from '../../plugins/sdk/http/http.ts';

/**
 * The service that issues tokens to a machine in Azure:
 * https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/how-to-use-vm-token. It is the only non-public
 * address that is called without being listed as trusted.
 */
export const identityOrigin = 'http://169.254.169.254';

/** Whether a request asks for a token. Nothing else of the machine's metadata is read. */
export const asksForIdentity = ({ method, path, body }: UpstreamRequest): boolean =>
  method === 'GET' && path.startsWith('/metadata/identity/oauth2/token?') && body.kind === 'none';
