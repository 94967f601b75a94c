/** The headers with clients' keys, in lower case: they are sent to a provider only if they are forwarded by name. */
export const credentialHeaders: ReadonlySet<string> = new Set(['authorization', 'x-api-key', 'api-key']);
