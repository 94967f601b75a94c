import type { ClientCredentials } from '../../sdk/dialect/client-route.ts';

/** https://ai.google.dev/gemini-api/docs/api-key */
export const clientCredentials: ClientCredentials = { headers: ['x-goog-api-key'], query: ['key'] };
