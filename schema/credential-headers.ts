/** Where clients put their keys, in lower case: these go to no provider unless they are forwarded by name. */
export const credentialHeaders: ReadonlySet<string> = new Set(['authorization', 'x-api-key', 'api-key']);
