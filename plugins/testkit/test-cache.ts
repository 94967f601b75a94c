import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { errorText } from '../../schema/text/error-text.ts';
import type { CacheClaim, CacheEntry, CacheKey, CacheRead, ResponseCache } from '../sdk/cache/cache.ts';
import type { TenantId } from '../sdk/exchange/exchange.ts';
import { refuseErrors } from './errors/reasons.ts';
import { createCancellation, neverCancelled } from './route/cancellation.ts';

export interface CacheContract {
  /** Opens the cache. If `isShared` is set, each call opens another one that shares the entries of the others. */
  readonly open: () => ResponseCache | Promise<ResponseCache>;
  /** Whether several processes share the entries. */
  readonly isShared?: boolean;
  /** Lets this many seconds pass. If absent, the expiry of entries is not tested. */
  readonly pass?: (seconds: number) => void | Promise<void>;
}

const toKey = (name: string): CacheKey => ({
  id: createHash('sha256').update(name).digest('hex'),
  scope: createHash('sha256').update(`scope of ${name}`).digest('hex'),
  request: {
    tenant: 'tenant' as TenantId,
    operation: 'converse',
    dialect: 'chat',
    body: () => ({ model: 'm', messages: [{ role: 'user', content: name }] }),
    cancellation: neverCancelled,
  },
});

const toEntry = (body: Uint8Array, more: Partial<CacheEntry> = {}): CacheEntry => ({
  headers: ['content-type', 'application/json', 'X-Name', 'é "quoted"'],
  body,
  isStream: false,
  storedAt: Date.UTC(2026, 0, 1),
  ...more,
});

const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
const minuteS = 60;

/** Compares the result of a look-up with an entry. */
const differs = (read: CacheRead, entry: CacheEntry): boolean =>
  read.kind === 'miss' ||
  !Buffer.from(read.entry.body).equals(Buffer.from(entry.body)) ||
  !isDeepStrictEqual({ ...read.entry, body: undefined }, { ...entry, body: undefined });

/** One rule of the contract. Resolves to the violation, or undefined. */
type Rule = (cache: ResponseCache, contract: CacheContract) => Promise<string | undefined>;

const entries: readonly Rule[] = [
  async (cache) => ((await cache.read(toKey('unknown'))).kind === 'miss' ? undefined : 'an unknown key is not a miss'),
  async (cache) => {
    const key = toKey('bytes');
    const entry = toEntry(everyByte, { isStream: true });
    await cache.write(key, entry, minuteS);
    return differs(await cache.read(key), entry) ? 'an entry is not read as it was written' : undefined;
  },
  async (cache) => {
    const key = toKey('empty');
    await cache.write(key, toEntry(Buffer.alloc(0)), minuteS);
    return differs(await cache.read(key), toEntry(Buffer.alloc(0))) ? 'an empty body is lost' : undefined;
  },
  async (cache) => {
    await cache.write(toKey('one'), toEntry(everyByte), minuteS);
    return (await cache.read(toKey('another'))).kind === 'miss' ? undefined : 'a key returns the entry of another key';
  },
  async (cache) => {
    const key = toKey('twice');
    await cache.write(key, toEntry(Buffer.from('first')), minuteS);
    await cache.write(key, toEntry(Buffer.from('second')), minuteS);
    const isOld = differs(await cache.read(key), toEntry(Buffer.from('second')));
    return isOld ? 'a second write does not replace the first' : undefined;
  },
  async (cache) => {
    const key = toKey('changed');
    const body = Buffer.from('before');
    await cache.write(key, toEntry(body), minuteS);
    body.write('after!');
    const isChanged = differs(await cache.read(key), toEntry(Buffer.from('before')));
    return isChanged ? 'an entry changes with the bytes that were written' : undefined;
  },
  async (cache, { pass }) => {
    if (pass === undefined) return undefined;
    const key = toKey('passing');
    await cache.write(key, toEntry(everyByte), minuteS);
    await pass(minuteS - 1);
    if ((await cache.read(key)).kind === 'miss') return 'an entry is dropped before it expires';
    await pass(1);
    return (await cache.read(key)).kind === 'miss' ? undefined : 'an entry is found after it has expired';
  },
];

const leaseMs = 10_000;

const claimed = async (cache: ResponseCache, name: string): Promise<CacheClaim> =>
  (await cache.claim?.(toKey(name), leaseMs)) ?? { lead: true, release: () => {} };

const follower = async (cache: ResponseCache, name: string): Promise<Extract<CacheClaim, { lead: false }>> => {
  const claim = await claimed(cache, name);
  if (claim.lead) throw new Error('two callers have the lead for one key');
  return claim;
};

const leader = async (cache: ResponseCache, name: string): Promise<Extract<CacheClaim, { lead: true }>> => {
  const claim = await claimed(cache, name);
  if (!claim.lead) throw new Error('nobody has the lead for a key, but it is not granted');
  return claim;
};

/** The rules for caches that support claims. The claims are made by two caches that share their entries. */
const claims: readonly ((first: ResponseCache, second: ResponseCache) => Promise<string | undefined>)[] = [
  async (first, second) => {
    const lead = await leader(first, 'lead');
    const other = await leader(second, 'other lead');
    const waiting = (await follower(second, 'lead')).entry(neverCancelled);
    const entry = toEntry(everyByte);
    await first.write(toKey('lead'), entry, minuteS);
    lead.release();
    other.release();
    const found = await waiting;
    if (found === undefined || differs({ kind: 'hit', entry: found }, entry))
      return 'a follower does not get what the leader wrote';
    return undefined;
  },
  async (first, second) => {
    const lead = await leader(first, 'failing');
    const waiting = (await follower(second, 'failing')).entry(neverCancelled);
    lead.release();
    if ((await waiting) !== undefined) return 'a follower gets an entry that nobody wrote';
    (await leader(second, 'failing')).release();
    return undefined;
  },
  async (first, second) => {
    const lead = await leader(first, 'held');
    lead.release();
    const next = await leader(second, 'held');
    // After the lead was lost, `release` must not release the lead of another.
    lead.release();
    const { cancellation, cancel } = createCancellation();
    const waiting = (await follower(first, 'held')).entry(cancellation);
    cancel();
    if ((await waiting) !== undefined) return 'a follower that was cancelled gets an entry';
    next.release();
    return undefined;
  },
];

/**
 * Tests a cache: it must return what was written under a key, byte for byte and under no other key, until it expires, and only
 * one claim at a time may have the lead. Throws a `ContractError` that lists every error.
 */
export const testCache = async (name: string, contract: CacheContract): Promise<void> => {
  const errors: string[] = [];
  const describe = (error: unknown): string => errorText(error);
  const first = await contract.open();
  for (const rule of entries) {
    const error = await rule(first, contract).catch(describe);
    if (error !== undefined) errors.push(error);
  }
  const second = contract.isShared === true ? await contract.open() : first;
  if (contract.isShared === true) {
    await first.write(toKey('shared'), toEntry(everyByte), minuteS);
    if ((await second.read(toKey('shared'))).kind === 'miss') errors.push('entries are not shared');
  }
  for (const rule of first.claim === undefined ? [] : claims) {
    const error = await rule(first, second).catch(describe);
    if (error !== undefined) errors.push(error);
  }
  await Promise.all([first, second].map((cache) => cache.close?.()));
  refuseErrors(`The cache "${name}"`, errors);
};
