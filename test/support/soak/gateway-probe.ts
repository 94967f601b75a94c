/**
 * Loaded into a gateway's process before the gateway (`--import`, with `--expose-gc`). Names under localhost lead to this
 * machine, as in RFC 6761, which not every resolver supports. On SIGUSR2, it collects garbage and prints what remains.
 */
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import type { LookupFunction } from 'node:net';

const systemLookup = dns.lookup as LookupFunction;
const lookup: LookupFunction = (hostname, options, callback) =>
  systemLookup(hostname.endsWith('.localhost') ? '127.0.0.1' : hostname, options, callback);
Object.assign(dns, { lookup });
syncBuiltinESMExports();

process.on('SIGUSR2', () => {
  globalThis.gc?.();
  // Lets finalisers and closed sockets run before the second round.
  setImmediate(() => {
    globalThis.gc?.();
    const { heapUsed, external, rss } = process.memoryUsage();
    process.stdout.write(`${JSON.stringify({ probe: { heapUsed, external, rss } })}\n`);
  });
});
