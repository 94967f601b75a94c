import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { callControl, chat, control, makeKey, saveChat, serveStore } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { startUpstream } from '../../support/servers/upstream-server.ts';

it.each([
  { served: 'one process', args: [] },
  { served: 'two workers', args: ['--workers', '2'] },
])('requests to $served that a shut-down aborts before they are answered are in the log', async ({ args }) => {
  const files = { 'gateway.json': { limits: { drain_ms: 100 } } };
  const options = { folder: temporaryFolder(), files, args };
  const gateway = await serveStore('gateway.db', options);
  const upstream = await startUpstream((call) => call.gone);
  onTestFinished(() => upstream.close());
  const config = await saveChat(gateway, { upstream, slug: 'slow', credential: 'sk' });
  const { key } = await makeKey(gateway, 'waiting');
  const waiting = Array.from({ length: 3 }, () => chat(gateway, { key, config }).catch(() => 'It was cut.'));
  await expect.poll(() => upstream.requests.length, patience).toBe(3);
  gateway.signal('SIGTERM');
  expect(await gateway.exited).toBe(0);
  expect(await Promise.all(waiting)).toEqual(['It was cut.', 'It was cut.', 'It was cut.']);
  expect(gateway.printed()).not.toContain('dropped');

  const second = await serveStore('gateway.db', options);
  const { text } = await callControl(second, 'GET /logs', { workspace: 'default' });
  expect(JSON.parse(text).data).toMatchObject([{ status: 499 }, { status: 499 }, { status: 499 }]);
  expect(await control(second, 'GET /usage')).toMatchObject({ summary: { requests: 3, attempts: 3 } });
});
