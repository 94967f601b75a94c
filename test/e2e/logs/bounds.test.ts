import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { patience } from '../../support/patience.ts';
import { adminKey, makeKey, serveStore } from '../../support/stored-gateway.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { read, readRecord } from './support/logged.ts';

const megabyte = 1024 * 1024;

const ask = (baseUrl: string, body: object, key: string): Promise<Response> =>
  fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-api-key': key, 'x-gw-provider': 'echo' },
    body: JSON.stringify({ model: 'any', ...body }),
  });

it('keeps no label of a user that is taken out of bodies', async () => {
  const user = 'ann@example.com';
  const serve = async (redact: readonly string[]) => {
    const gateway = await serveStore('gateway.db', {
      folder: temporaryFolder(),
      files: { 'gateway.json': { log: { bodies: true, redact } } },
    });
    const { key } = await makeKey(gateway, 'redacted');
    const answer = await ask(gateway.baseUrl, { user, messages: [{ role: 'user', content: 'Hi' }] }, key);
    await answer.text();
    return readRecord(gateway, answer.headers.get('x-gw-trace-id') ?? '');
  };
  const kept = await serve(['/messages']);
  expect(kept.metadata._user).toBe(user);
  for (const redact of [['/user'], ['/messages', '/*']]) {
    const record = await serve(redact);
    expect(record.metadata._user).toBe('[redacted]');
    expect(JSON.stringify(record)).not.toContain(user);
  }
});

it('takes no more than "keep_mb" of the disk, with its journal', async () => {
  const gateway = await serveStore('gateway.db', {
    folder: temporaryFolder(),
    files: { 'gateway.json': { log: { bodies: true, keep_mb: 8 } } },
  });
  const sizes = (): number =>
    readdirSync(gateway.folder)
      .filter((name) => name.startsWith('gateway-log.db'))
      .reduce((sum, name) => sum + statSync(path.join(gateway.folder, name)).size, 0);
  const content = 'x'.repeat(30_000);
  const { key } = await makeKey(gateway, 'many');
  for (let round = 0; round < 30; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => ask(gateway.baseUrl, { messages: [{ role: 'user', content }] }, key)),
    );
    for (const answer of answers) await answer.text();
  }
  const listed = async (): Promise<number> => (await read(gateway, '/logs', { key: adminKey })).body.data.length;
  // Records are written behind the answers: before the first of them the files are small.
  await expect.poll(listed, patience).toBeGreaterThan(10);
  await expect.poll(sizes, patience).toBeLessThanOrEqual(8 * megabyte);
  expect(await listed()).toBeGreaterThan(10);
});
