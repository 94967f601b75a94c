import type { UpstreamRequest } from '../../plugins/sdk/http/http.ts';

/**
 * The service that gives a machine in Azure its tokens:
 * https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/how-to-use-vm-token. It is the only
 * address that is not public and is called without being listed as trusted.
 */
export const identityOrigin = 'http://169.254.169.254';

/** Whether a request asks for a token: nothing else of the machine's metadata is read. */
export const asksForIdentity = ({ method, path, body }: UpstreamRequest): boolean =>
  method === 'GET' && path.startsWith('/metadata/identity/oauth2/token?') && body.kind === 'none';
