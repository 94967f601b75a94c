import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { chatUpstream, control, makeKey, serveStore } from '../../support/gateways/stored-gateway.ts';
import { halfRecords } from './half-records.ts';
import { savedKinds } from './saved-kinds.ts';
import { type WrittenRecords, writtenRecords } from './written-records.ts';

/** How often it is killed, from the variable `KILLS`: 200 for a thorough run. */
const kills = Number(process.env.KILLS ?? 4);

/** Resolves at a random moment after some writes were acknowledged, however fast the machine is. */
const moment = async (written: readonly WrittenRecords[]): Promise<void> => {
  const enough = 1 + Math.floor(Math.random() * 30);
  while (written.reduce((sum, each) => sum + each.acknowledgements, 0) < enough) await setTimeout(2);
  await setTimeout(Math.random() * 20);
};

it(
  'a gateway that is killed while it writes keeps everything that it acknowledged, and nothing incomplete',
  async () => {
    const upstream = await chatUpstream();
    const folder = temporaryFolder();
    const start = () => serveStore('gateway.db', { folder });
    let gateway = await start();
    const { key } = await makeKey(gateway, 'reader');
    await control(gateway, 'POST /providers', { body: { name: 'base', slug: 'base', provider: 'echo' } });
    const kinds = savedKinds(upstream, () => key);
    const before: WrittenRecords[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      const written = kinds.flatMap((kind) => [0, 1].map((lane) => writtenRecords(kind, `${kill}-${lane}`)));
      const writing = Promise.all(written.map((each) => each.write(gateway)));
      await moment(written);
      await gateway.stop();
      await writing;
      gateway = await start();
      expect(halfRecords(path.join(folder, 'gateway.db'))).toEqual([]);
      expect((await Promise.all(written.map((each) => each.losses(gateway)))).flat()).toEqual([]);
      before.push(...written);
    }
    for (const each of before) expect(await each.losses(gateway)).toEqual([]);
  },
  60_000 + kills * 10_000,
);
