import type { UpstreamCall } from '../servers/upstream-server.ts';

/** Creates routes for one of several things, whose id is the first group in the path. `missing` answers for unknown ids. */
export const oneOf =
  <Thing>(things: ReadonlyMap<string, Thing>, missing: (call: UpstreamCall) => void) =>
  (run: (thing: Thing, call: UpstreamCall, id: string) => void) =>
  (call: UpstreamCall, [id = '']: readonly string[]): void => {
    const thing = things.get(id);
    if (thing === undefined) missing(call);
    else run(thing, call, id);
  };
