import { startUpstream, type TestUpstream, type UpstreamCall } from '../../upstream-server.ts';

/** A provider of fine-tuning, as its documentation says it is spoken to. */
export interface TuningVendor {
  readonly upstream: TestUpstream;
  /** Lets all jobs that run come to their end, or fail with a message. */
  finish(message?: string): void;
}

export type VendorRoute = (call: UpstreamCall, parts: readonly string[]) => void;

/** Serves routes by method and a pattern of the path; the vendor's own 404 for all else. */
export const startVendorRoutes = (
  routes: readonly (readonly [method: string, path: RegExp, run: VendorRoute])[],
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
