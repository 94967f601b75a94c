import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { installedGw } from '../../support/gateways/installed-gateway.ts';
import { steadyLoad } from '../../support/gateways/steady-load.ts';
import {
  adminKey,
  callControl,
  chat,
  chatUpstream,
  control,
  makeKey,
  saveChat,
  serveStore,
} from '../../support/gateways/stored-gateway.ts';
import { halfRecords } from './half-records.ts';
import { savedKinds } from './saved-kinds.ts';
import { writtenRecords } from './written-records.ts';

/** The largest file that the gateway can write until the limit is lifted, in kilobytes. */
const limit = 1500;
const limited = `ulimit -S -f ${limit}; exec "$0" "$@"`;
const prlimit = '/usr/bin/prlimit';

interface Readiness {
  readonly code: number;
  readonly status: string;
  readonly store?: object;
}

/** The answer of `/readyz` to the admin, or to others. */
const readiness = async (
  { origin }: GatewayProcess,
  headers: Readonly<Record<string, string>> = { 'x-gw-api-key': adminKey },
): Promise<Readiness> => {
  const answer = await fetch(`${origin}/readyz`, { headers });
  return { code: answer.status, ...((await answer.json()) as Omit<Readiness, 'code'>) };
};

it.runIf(existsSync(prlimit))(
  'a gateway with a full disk refuses writes, still serves, and writes again when there is space',
  async () => {
    const upstream = await chatUpstream();
    const folder = temporaryFolder();
    const gateway = await serveStore('gateway.db', {
      folder,
      command: ['bash', '-c', limited, process.execPath, installedGw],
    });
    const { key } = await makeKey(gateway, 'known');
    const config = await saveChat(gateway, { upstream, slug: 'base', credential: 'sk' });
    expect((await chat(gateway, { key, config })).status).toBe(200);
    const load = steadyLoad(() => chat(gateway, { key, config }));
    const written = savedKinds(upstream, () => key).map((kind) => writtenRecords(kind, 'w'));
    const isFull = (): boolean => written.every(({ refusals }) => refusals > 0);
    await Promise.all(written.map((each) => each.write(gateway, { refusals: [503], isOver: isFull })));
    const refused = await callControl(gateway, 'POST /configs', { body: { name: 'x', config: { provider: 'echo' } } });
    expect(refused).toMatchObject({ status: 503, text: expect.stringContaining('cannot use its store') });
    expect(gateway.printed()).toMatch(/gw: The request \S+ failed\. The file \S+gateway\.db cannot .*disk.*\n/);
    expect((await callControl(gateway, 'GET /configs')).status).toBe(200);
    expect(await readiness(gateway)).toMatchObject({
      ...{
        code: 200,
        status: 'degraded',
        reason: expect.stringMatching(/cannot be written.*gateway\.db cannot .*disk/),
      },
      store: { status: 'ready', write_failure: expect.stringMatching(/gateway\.db cannot .*disk/) },
    });
    expect(await readiness(gateway, {})).toEqual({ code: 200, status: 'degraded' });
    execFileSync(prlimit, ['--pid', String(gateway.pid), '--fsize=unlimited']);
    // It recovers by itself.
    await expect.poll(async () => (await readiness(gateway)).status).toBe('ready');
    expect((await readiness(gateway)).store).not.toHaveProperty('write_failure');
    await control(gateway, 'POST /configs', { body: { name: 'x', config: { provider: 'echo' } } });
    await load.end();
    expect(load.failures()).toEqual([]);
    expect(halfRecords(path.join(folder, 'gateway.db'))).toEqual([]);
    for (const each of written) expect(await each.losses(gateway)).toEqual([]);
    await gateway.stop();
    const again = await serveStore('gateway.db', { folder });
    for (const each of written) expect(await each.losses(again)).toEqual([]);
  },
  120_000,
);
