import { type LookupAddress, promises, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPrivateName } from './checked-lookup.ts';

const notFound: ReadonlySet<string | undefined> = new Set(['ENOTFOUND', 'ENODATA']);

/** Returns the error that the system's resolver would have returned. */
const toLookupError = (hostname: string, reasons: readonly NodeJS.ErrnoException[]): NodeJS.ErrnoException => {
  const code = reasons.every((reason) => notFound.has(reason.code)) ? 'ENOTFOUND' : 'EAI_AGAIN';
  return Object.assign(new Error(`${code} ${hostname}`, { cause: reasons[0] }), { code });
};

/** Rejects with the same errors as `lookup` of `node:dns`. */
const resolvePublic = async (hostname: string): Promise<readonly LookupAddress[]> => {
  // Each resolver reads the name servers of the system anew.
  const resolver = new promises.Resolver();
  const answers = await Promise.allSettled([
    resolver.resolve4(hostname).then((found) => found.map((address) => ({ address, family: 4 }))),
    resolver.resolve6(hostname).then((found) => found.map((address) => ({ address, family: 6 }))),
  ]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return addresses;
  throw toLookupError(
    hostname,
    answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : [])),
  );
};

/**
 * Resolves the names that callers choose. The name servers are queried directly for public hosts. For others, the system's
 * resolver is used: it occupies one of two shared threads until the server of a name answers.
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  if (isPrivateName(hostname)) {
    systemLookup(hostname, options, callback);
    return;
  }
  resolvePublic(hostname).then(
    (addresses) => {
      const [first] = addresses;
      if (options.all === true || first === undefined) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    },
    (error: NodeJS.ErrnoException) => callback(error, '', 0),
  );
};
