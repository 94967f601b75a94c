import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { installedGw } from '../../support/gateways/installed-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { asked, limitedGateway, makePolicy, serveLimited } from './support/limited-gateway.ts';

const dayMs = 86_400_000;
const shifting = path.join(import.meta.dirname, '../../support/gateways/shifted-clock.mjs');

const shiftedGateway = async () => {
  const folder = temporaryFolder({ shift: '0' });
  const shift = path.join(folder, 'shift');
  const options = {
    folder,
    command: [process.execPath, '--import', shifting, installedGw],
    env: { GW_TEST_CLOCK_SHIFT: shift },
  } as const;
  return {
    ...(await limitedGateway('gateway.db', options)),
    restart: () => serveLimited('gateway.db', options),
    set: (days: number) => writeFileSync(shift, String(days * dayMs)),
  };
};

it('opens the window of a limit once when a clock that was days behind is corrected', async () => {
  const { gateway, key, set } = await shiftedGateway();
  await makePolicy(gateway, 'rate-limits', { type: 'requests', unit: 'rpd', value: 1 });
  expect((await asked(gateway, {}, key)).status).toBe(200);
  /** Returns how many days a refused request has to wait, by the gateway's clock. */
  const refusedFor = async (): Promise<number> => {
    const { status, headers } = await asked(gateway, {}, key);
    return status === 429 ? (Number(headers.get('retry-after')) * 1000) / dayMs : Number.NaN;
  };
  set(-3);
  await expect.poll(refusedFor, patience).toBeGreaterThan(3);
  set(0);
  await expect.poll(refusedFor, patience).toBeLessThanOrEqual(1);
});

it('keeps the window of a limit closed when a gateway restarts after its clock was ahead', async () => {
  const { gateway, key, set, restart } = await shiftedGateway();
  await makePolicy(gateway, 'rate-limits', { type: 'requests', unit: 'rpd', value: 1 });
  const readStatus = async (): Promise<number> => (await asked(gateway, {}, key)).status;
  expect([await readStatus(), await readStatus()]).toEqual([200, 429]);
  set(2);
  await expect.poll(readStatus, patience).toBe(200);
  expect(await readStatus()).toBe(429);
  gateway.signal('SIGTERM');
  expect(await gateway.exited).toBe(0);
  set(0);
  const second = await restart();
  expect((await asked(second, {}, key)).status).toBe(429);
});
