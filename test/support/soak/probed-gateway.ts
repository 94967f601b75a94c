import { readdirSync } from 'node:fs';
import path from 'node:path';
import { vi } from 'vitest';
import { type GatewayProcess, startGateway } from '../gateways/gateway-process.ts';

/** What a gateway's process holds after garbage collection. */
export interface Holdings {
  /** The bytes of the JavaScript heap and of buffers outside it. */
  readonly heap: number;
  /** The bytes of memory. */
  readonly rss: number;
  /** The number of open files and sockets. */
  readonly descriptors: number;
}

export interface ProbedGateway extends GatewayProcess {
  measure(): Promise<Holdings>;
}

/** The output of `gateway-probe.ts`. */
interface Probe {
  readonly probe: { readonly heapUsed: number; readonly external: number; readonly rss: number };
}

const isProbe = (record: object): record is Probe => 'probe' in record;

/**
 * Starts a gateway in a separate process that can report what it holds. It has little room for garbage, so what it holds is
 * what it needs. Linux only.
 */
export const startProbedGateway = async (): Promise<ProbedGateway> => {
  const probe = path.join(import.meta.dirname, 'gateway-probe.ts');
  const options = `--expose-gc --max-semi-space-size=4 --import ${probe}`;
  const gateway = await startGateway({ env: { NODE_OPTIONS: options, MALLOC_ARENA_MAX: '1' } });
  let seen = 0;
  const nextProbe = (): Probe => {
    const records: readonly object[] = gateway.records();
    const next = records.filter(isProbe)[seen];
    if (next === undefined) throw new Error('The gateway has not answered its probe.');
    return next;
  };
  return {
    ...gateway,
    measure: async () => {
      gateway.signal('SIGUSR2');
      const { heapUsed, external, rss } = (await vi.waitFor(nextProbe, 30_000)).probe;
      seen += 1;
      return { heap: heapUsed + external, rss, descriptors: readdirSync(`/proc/${gateway.pid}/fd`).length };
    },
  };
};
