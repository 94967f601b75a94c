import { startUpstream, type TestUpstream, type UpstreamCall } from '../servers/upstream-server.ts';

/** The pattern matches the path. Its groups are decoded. */
export type VendorRoute = readonly [
  method: string,
  path: RegExp,
  run: (call: UpstreamCall, parts: readonly string[]) => void | Promise<void>,
];

/** Serves routes by method and a pattern for the path, and the vendor's own 404 for everything else. */
export const startVendorRoutes = (
  routes: readonly VendorRoute[],
  unknown: (call: UpstreamCall) => void,
): Promise<TestUpstream> =>
  startUpstream((call) => {
    const { method, path } = call.request;
    const [pathname = ''] = path.split('?');
    for (const [each, pattern, run] of routes) {
      const found = each === method ? pattern.exec(pathname) : null;
      if (found !== null) return run(call, found.slice(1).map(decodeURIComponent));
    }
    return unknown(call);
  });
