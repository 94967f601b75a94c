import type { ClientCredentials } from '../../sdk/dialect/client-route.ts';

/** https://docs.anthropic.com/en/api/overview#authentication */
export const clientCredentials: ClientCredentials = { headers: ['x-api-key'] };
