/**
 * The upstream path of a passed-through request to a service whose base URL has no version segment, because its
 * versions stand side by side: `/v2/…` as written, and a path without a version below `/v1`, which is what the client
 * wrote before the gateway took it for its own.
 */
export const withOwnVersion = (path: string): string => (/^\/v\d[a-z0-9]*\//.test(path) ? path : `/v1${path}`);
