import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { steadyLoad } from '../../support/gateways/steady-load.ts';
import { chat, chatUpstream, makeKey, saveChat, serveStore } from '../../support/gateways/stored-gateway.ts';
import { postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';
import { savedKinds } from './saved-kinds.ts';
import { writtenRecords } from './written-records.ts';

const programs = postgresFolder();

/** The number of PostgreSQL crashes. */
const crashes = 4;

it.runIf(programs !== undefined)(
  'gateways lose nothing that they acknowledged if their PostgreSQL crashes while they write',
  async () => {
    const server = await startPostgres(programs ?? '');
    onTestFinished(() => server.stop());
    const upstream = await chatUpstream();
    const gateways = await Promise.all([serveStore(server.url), serveStore(server.url)]);
    const [first] = gateways;
    const { key } = await makeKey(first, 'known');
    const config = await saveChat(first, { upstream, slug: 'base', credential: 'sk' });
    for (const gateway of gateways)
      await expect.poll(async () => (await chat(gateway, { key, config })).status).toBe(200);
    const loads = gateways.map((gateway) => steadyLoad(() => chat(gateway, { key, config })));
    const written = gateways.flatMap((gateway, index) =>
      savedKinds(upstream, () => key).map((kind) => ({ gateway, records: writtenRecords(kind, `${index}`) })),
    );
    const acknowledged = () => written.reduce((sum, { records }) => sum + records.acknowledgements, 0);
    let isOver = false;
    const expected = { refusals: [503], isOver: () => isOver };
    const writing = Promise.all(written.map(({ gateway, records }) => records.write(gateway, expected)));
    for (let crash = 0; crash < crashes; crash += 1) {
      const before = acknowledged();
      await expect.poll(acknowledged).toBeGreaterThan(before);
      await setTimeout(Math.random() * 500);
      await server.crash();
      await server.start();
    }
    const restarted = acknowledged();
    await expect.poll(acknowledged).toBeGreaterThan(restarted);
    isOver = true;
    await writing;
    await Promise.all(loads.map((load) => load.end()));
    expect(loads.flatMap((load) => load.failures())).toEqual([]);
    for (const { gateway, records } of written) expect(await records.losses(gateway)).toEqual([]);
  },
  120_000,
);
