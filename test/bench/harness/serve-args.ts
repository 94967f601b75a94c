import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const ownGateway = path.join(import.meta.dirname, '../../../gw.js');

/** Whether the gateway of another checkout has an option to drain without delay. Earlier gateways have no delay. */
const knowsDrainDelay = (gateway: string): boolean =>
  spawnSync(process.execPath, [gateway, 'serve', '--help'], { encoding: 'utf8' }).stdout.includes('--drain-delay-ms');

/**
 * Returns the arguments of a gateway that exits without a delay when it is stopped, because no load balancer needs to see that it
 * drains.
 *
 * @param gateway the path of its `gw.js`; this checkout's if absent
 */
export const serveArgs = (args: readonly string[] = [], gateway: string = ownGateway): readonly string[] => [
  gateway,
  'serve',
  ...args,
  ...(gateway === ownGateway || knowsDrainDelay(gateway) ? ['--drain-delay-ms', '0'] : []),
];

/** The options that `npm start` passes to Node. */
export const startFlags = (): readonly string[] => {
  const { scripts }: { readonly scripts: { readonly start: string } } = JSON.parse(
    readFileSync(path.join(import.meta.dirname, '../../../package.json'), 'utf8'),
  );
  return scripts.start.split(' ').filter((word) => word.startsWith('--'));
};

/** The environment that the README recommends for gateways with a store: a single heap of the C library for all threads. */
export const storeThreadsEnvironment: Readonly<Record<string, string>> = { MALLOC_ARENA_MAX: '1' };
