import type { Identities } from '../../plugins/sdk/control-plane/identities.ts';
import type { Principal } from '../../plugins/sdk/exchange/exchange.ts';

type Found = Principal | undefined;

/** Returns the result of the first, or else of the second, which is called only then. */
const either = (first: Found | Promise<Found>, second: () => Found | Promise<Found>): Found | Promise<Found> =>
  first instanceof Promise ? first.then((found) => found ?? second()) : (first ?? second());

/** Returns the older confirmation. Some sources are always up to date. */
const oldest = (one: Identities, other: Identities): Pick<Identities, 'confirmedAt'> => {
  if (one.confirmedAt === undefined && other.confirmedAt === undefined) return {};
  const at = (source: Identities): number => source.confirmedAt?.() ?? Number.POSITIVE_INFINITY;
  return { confirmedAt: () => Math.min(at(one), at(other)) };
};

/** Joins two sources. A key that the first knows is not looked up in the second. */
export const joinIdentities = (one: Identities, other: Identities): Identities => ({
  identify: (presented) => either(one.identify(presented), () => other.identify(presented)),
  findWorkspace: (principal, name) =>
    either(one.findWorkspace?.(principal, name), () => other.findWorkspace?.(principal, name)),
  identifySession: (token) => either(one.identifySession?.(token), () => other.identifySession?.(token)),
  noteRefused: (presented) => {
    one.noteRefused?.(presented);
    other.noteRefused?.(presented);
  },
  findKeyId: (presented) => one.findKeyId?.(presented) ?? other.findKeyId?.(presented),
  onRevoked: (run) => {
    const stops = [one.onRevoked?.(run), other.onRevoked?.(run)];
    return () => {
      for (const stop of stops) stop?.();
    };
  },
  ...oldest(one, other),
});
