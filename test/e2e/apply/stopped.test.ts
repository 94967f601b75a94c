import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { installedGw } from '../../support/gateways/installed-gateway.ts';
import { adminKey, sharedStore } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { gwFor, readKeys, startRelay, writeFiles } from './support.ts';

const gateway = sharedStore();
afterEach(() => vi.unstubAllEnvs());

const key = (name: string) => ({ name, scopes: ['completions.write'] });
const [first, second] = ['workspaces/default/keys/first', 'workspaces/default/keys/second'];

it.skipIf(process.platform === 'win32')(
  'writes the key that is being created before Control-C ends gw apply',
  async () => {
    const cwd = temporaryFolder();
    writeFiles(
      { 'gatewright.json': { name: 'stopped' }, [`${first}.json`]: key('First'), [`${second}.json`]: key('Second') },
      path.join(cwd, 'folder'),
    );
    const interrupt = Promise.withResolvers<undefined>();
    let isMaking = false;
    // The key is created after the command has received the signal.
    const relay = await startRelay(gateway(), (method, route) => {
      if (method !== 'POST' || !route.startsWith('/v1/api-keys') || route.includes('dry_run')) return undefined;
      isMaking = true;
      return interrupt.promise;
    });
    const applying = spawn(process.execPath, [installedGw, 'apply', 'folder', '--keys-file', 'keys'], {
      ...{ cwd, stdio: ['ignore', 'pipe', 'pipe'] },
      env: { ...process.env, GW_URL: relay.origin, GW_API_KEY: adminKey },
    });
    onTestFinished(() => void applying.kill('SIGKILL'));
    const ended = once(applying, 'exit');
    const [out, err] = [text(applying.stdout), text(applying.stderr)];
    await expect.poll(() => isMaking, patience).toBe(true);
    applying.kill('SIGINT');
    await Promise.race([once(applying.stderr, 'data'), ended]);
    interrupt.resolve(undefined);
    expect(await ended).toEqual([1, null]);
    expect(await out).toMatch(new RegExp(`\n${first}: created\n$`));
    expect(await err).toBe(
      [
        'gw: The current step is finished first. Press Control-C again to stop immediately.',
        'gw: The command was stopped.',
        `gw: 1 of 2 are done. Not done:\n  ${second}`,
        'gw: Run the command again to continue.\n',
      ].join('\n'),
    );
    const keys = path.join(cwd, 'keys');
    expect(Object.keys(readKeys(keys))).toEqual([first]);

    const { code } = await gwFor(gateway(), cwd, ['apply', 'folder', '--keys-file', 'keys']);
    expect([code, Object.keys(readKeys(keys))]).toEqual([0, [first, second]]);
  },
);
