import type { UpstreamCall } from '../upstream-server.ts';

/** Makes routes for one of some things: the first part of their paths that is captured is its id. `missing` answers for others. */
export const oneOf =
  <Thing>(things: ReadonlyMap<string, Thing>, missing: (call: UpstreamCall) => void) =>
  (run: (thing: Thing, call: UpstreamCall, id: string) => void) =>
  (call: UpstreamCall, [id = '']: readonly string[]): void => {
    const thing = things.get(id);
    if (thing === undefined) missing(call);
    else run(thing, call, id);
  };
