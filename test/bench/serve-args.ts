import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const ownGateway = path.join(import.meta.dirname, '../../gw.js');

/** Whether a gateway of another checkout can be told not to wait before it drains; earlier ones never wait. */
const knowsDrainDelay = (gateway: string): boolean =>
  spawnSync(process.execPath, [gateway, 'serve', '--help'], { encoding: 'utf8' }).stdout.includes('--drain-delay-ms');

/**
 * The arguments that have a gateway serve and end at once when it is told to: no load balancer needs to see first that it drains.
 *
 * @param gateway its `gw.js`; this checkout's if absent
 */
export const serveArgs = (args: readonly string[] = [], gateway: string = ownGateway): readonly string[] => [
  gateway,
  'serve',
  ...args,
  ...(gateway === ownGateway || knowsDrainDelay(gateway) ? ['--drain-delay-ms', '0'] : []),
];

/** The options that `npm start` gives to Node. */
export const startFlags = (): readonly string[] => {
  const { scripts }: { readonly scripts: { readonly start: string } } = JSON.parse(
    readFileSync(path.join(import.meta.dirname, '../../package.json'), 'utf8'),
  );
  return scripts.start.split(' ').filter((word) => word.startsWith('--'));
};

/** What the README advises to set where a gateway has a store: one heap of the C library for all of its threads. */
export const storeThreadsEnvironment: Readonly<Record<string, string>> = { MALLOC_ARENA_MAX: '1' };
