/**
 * Returns the upstream path of a passed-through request to a service whose base URL has no version segment, because its versions
 * are side by side: `/v2/…` is kept, and a path without a version goes below `/v1`, which the client wrote before the gateway
 * removed it.
 */
export const withOwnVersion = (path: string): string => (/^\/v\d[a-z0-9]*\//.test(path) ? path : `/v1${path}`);
