import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { installedGw } from '../../support/gateways/installed-gateway.ts';
import { chatUpstream, control, makeKey, saveChat, serveStore } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';

it('applies the limit of an organisation to the age of cached answers', async () => {
  const upstream = await chatUpstream();
  const folder = temporaryFolder({ shift: '0' });
  const shift = path.join(folder, 'shift');
  const gateway = await serveStore('gateway.db', {
    folder,
    command: [
      process.execPath,
      '--import',
      path.join(import.meta.dirname, '../../support/gateways/shifted-clock.mjs'),
      installedGw,
    ],
    env: { GW_TEST_CLOCK_SHIFT: shift },
  });
  await saveChat(gateway, { upstream, slug: 'chat', credential: 'secret' });
  const { key } = await makeKey(gateway, 'caller');
  /** The cache status of an answer, and its age in seconds. */
  const ask = async (seed: number, cache: object): Promise<readonly [string | null, number]> => {
    const config = { provider: '@chat', cache: { mode: 'simple', ...cache } };
    const { headers } = await fetch(`${gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gw-api-key': key, 'x-gw-config': JSON.stringify(config) },
      body: JSON.stringify({ model: 'm', seed, messages: [{ role: 'user', content: 'Hi.' }] }),
    });
    return [headers.get('x-gw-cache-status'), Number(headers.get('age'))];
  };
  const ages = [{}, { max_age: 7200 }];
  const statuses = async (): Promise<readonly (string | null)[]> =>
    await Promise.all(ages.map(async (cache, seed) => (await ask(seed, cache))[0]));
  expect([await statuses(), await statuses()]).toEqual([
    ['MISS', 'MISS'],
    ['HIT', 'HIT'],
  ]);
  writeFileSync(shift, String(1000 * 1000));
  await expect.poll(async () => (await ask(0, {}))[1], patience).toBeGreaterThanOrEqual(1000);
  expect(await statuses()).toEqual(['HIT', 'HIT']);
  await control(gateway, 'PUT /organisation', { body: { settings: { cache_max_age: 600 } } });
  expect([await statuses(), await statuses()]).toEqual([
    ['MISS', 'MISS'],
    ['HIT', 'HIT'],
  ]);
});
