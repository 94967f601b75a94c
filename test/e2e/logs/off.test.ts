import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import {
  callControl,
  chat,
  chatUpstream,
  makeKey,
  saveChat,
  serveStore,
} from '../../support/gateways/stored-gateway.ts';

it('"log": false in the gateway file turns the log off: requests are served, and reading explains why', async () => {
  const folder = temporaryFolder();
  const gateway = await serveStore('gateway.db', {
    folder,
    files: { 'gateway.json': { store: { url: 'gateway.db' }, log: false } },
  });
  const { key } = await makeKey(gateway, 'caller');
  const config = await saveChat(gateway, { upstream: await chatUpstream(), slug: 'chat', credential: 'sk' });
  expect((await chat(gateway, { key, config })).status).toBe(200);
  expect(existsSync(path.join(folder, 'gateway.db'))).toBe(true);
  expect(existsSync(path.join(folder, 'gateway-log.db'))).toBe(false);
  const { status, text } = await callControl(gateway, 'GET /logs');
  expect({ status, text }).toEqual({ status: 404, text: expect.stringContaining('keeps no log') });
});
