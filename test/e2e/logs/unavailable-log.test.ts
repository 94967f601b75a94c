import { expect, it, onTestFinished } from 'vitest';
import { serveStore } from '../../support/gateways/stored-gateway.ts';
import { postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';
import { logStatus, toLoad, total } from './support/watched-log.ts';

const folder = postgresFolder();

it.runIf(folder !== undefined)(
  'requests succeed while the database of the log hangs, and their records are written afterwards',
  async () => {
    const postgres = await startPostgres(folder ?? '');
    onTestFinished(() => postgres.stop());
    const gateway = await serveStore(postgres.url);
    const { load, sent } = toLoad(gateway);
    await expect.poll(() => total(gateway)).toBeGreaterThan(0);
    postgres.freeze();
    const before = sent();
    await expect.poll(() => logStatus(gateway)).toMatchObject({ status: 'away' });
    expect(sent()).toBeGreaterThan(before);
    expect(gateway.printed()).toContain('gw: The log cannot be written: ');
    postgres.thaw();
    await expect.poll(() => logStatus(gateway)).toMatchObject({ status: 'ready', dropped: 0 });
    await load.end();
    expect(load.failures()).toEqual([]);
    await expect.poll(() => total(gateway)).toBe(sent());
    expect(gateway.printed()).toContain('gw: The log is written again.\n');
  },
  120_000,
);
