/**
 * Loaded into a gateway's process before the gateway (`--import`, with `--expose-gc`). Names under localhost lead to
 * this machine, as RFC 6761 has it and not every resolver knows. On SIGUSR2 it collects garbage and prints what is left.
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
  // Finalisers and closed sockets have their turn before the second round.
  setImmediate(() => {
    globalThis.gc?.();
    const { heapUsed, external, rss } = process.memoryUsage();
    process.stdout.write(`${JSON.stringify({ probe: { heapUsed, external, rss } })}\n`);
  });
});
