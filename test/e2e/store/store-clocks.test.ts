import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { installedGw } from '../../support/gateways/installed-gateway.ts';
import { steadyLoad } from '../../support/gateways/steady-load.ts';
import {
  adminKey,
  chat,
  chatUpstream,
  control,
  makeKey,
  saveChat,
  serveStore,
} from '../../support/gateways/stored-gateway.ts';
import { postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';

const programs = postgresFolder();
const shifting = path.join(import.meta.dirname, '../../support/gateways/shifted-clock.mjs');
const second = 1000;
const hour = 3600 * second;

const readStatus = async (gateway: GatewayProcess, request: Parameters<typeof chat>[1]): Promise<number> => {
  const answer = await chat(gateway, request);
  await answer.text();
  return answer.status;
};

const readiness = async ({ origin }: GatewayProcess): Promise<unknown> => {
  const answer = await fetch(`${origin}/readyz`, { headers: { 'x-gw-api-key': adminKey } });
  return ((await answer.json()) as { readonly status: string }).status;
};

it.runIf(programs !== undefined)(
  "gateways whose clocks jump by an hour see each other's changes, and fail no known request",
  async () => {
    const server = await startPostgres(programs ?? '');
    onTestFinished(() => server.stop());
    const upstream = await chatUpstream();
    const shift = path.join(temporaryFolder({ shift: '0' }), 'shift');
    const right = await serveStore(server.url);
    const jumping = await serveStore(server.url, {
      command: [process.execPath, '--import', shifting, installedGw],
      env: { GW_TEST_CLOCK_SHIFT: shift },
    });
    const known = await makeKey(right, 'known');
    const config = await saveChat(right, { upstream, slug: 'first', credential: 'sk' });
    const use = { key: known.key, config };
    for (const gateway of [right, jumping]) await expect.poll(() => readStatus(gateway, use)).toBe(200);
    const loads = [right, jumping].map((gateway) => steadyLoad(() => chat(gateway, use)));
    // Much less than the clocks jump.
    const inTime = { timeout: 10 * second, interval: 20 };
    for (const [index, by] of [hour, -hour, 0].entries()) {
      writeFileSync(shift, String(by));
      await setTimeout(second / 2);
      for (const [maker, follower] of [
        [right, jumping],
        [jumping, right],
      ] as const) {
        const { id, key } = await makeKey(maker, `${index}`);
        await expect.poll(() => readStatus(follower, { key }), inTime).toBe(200);
        const slug = `of-${maker.pid}-${index}`;
        const own = await saveChat(maker, { upstream, slug, credential: 'sk' });
        await expect.poll(() => readStatus(follower, { key, config: own }), inTime).toBe(200);
        await control(maker, `DELETE /api-keys/${id}`);
        await expect.poll(() => readStatus(follower, { key }), inTime).toBe(401);
      }
      for (const gateway of [right, jumping]) await expect.poll(() => readiness(gateway)).toBe('ready');
    }
    await Promise.all(loads.map((load) => load.end()));
    expect(loads.flatMap((load) => load.failures())).toEqual([]);
  },
  180_000,
);
