import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { headerTable } from '../../../runtime/http/headers/header-table.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { adminKey, chatUpstream, makeKey, saveChat, serveStore } from '../../support/gateways/stored-gateway.ts';
import { read } from './support/logged.ts';

const secrets = {
  saved: 'sk-saved-credential-0123456789',
  literal: 'sk-literal-of-a-header-config-0123456789',
  bearer: 'sk-bearer-of-the-caller-0123456789',
  cookie: 'session-cookie-0123456789',
  cloud: 'token-of-a-cloud-0123456789',
  content: 'What nobody may read at rest.',
};

const ofClouds = Object.fromEntries(
  headerTable
    .map(({ name }) => name)
    .filter((name) => /^x-gw-cloud.*-(?:token|secret|key|key-id|json)$/.test(name))
    .map((name) => [name, name.endsWith('-json') ? JSON.stringify({ key: secrets.cloud }) : secrets.cloud]),
);

it.each([
  { name: 'without bodies', bodies: false },
  { name: 'with bodies', bodies: true },
])('the file of the log never contains a secret, $name', async ({ bodies }) => {
  const names = ['authorization', 'cookie', 'x-gw-api-key', 'x-gw-config', 'user-agent', ...Object.keys(ofClouds)];
  const log = { bodies, headers: names };
  const folder = temporaryFolder({ 'gateway.json': { log, trusted_hosts: ['127.0.0.1'] } });
  const gateway = await serveStore('gateway.db', { folder });
  const upstream = await chatUpstream();
  const { key } = await makeKey(gateway, 'app');
  const config = await saveChat(gateway, { upstream, slug: 'app', credential: secrets.saved });
  // Providers quote the credentials that they reject.
  upstream.handle((call) => {
    const message = `Wrong key: ${secrets.saved} ${secrets.literal} ${secrets.bearer} ${key}`;
    call.json({ error: { message } }, { status: 401 });
  });
  const custom = { provider: 'openai', api_key: secrets.literal, custom_host: `${upstream.origin}/v1` };
  const callers = [
    { 'x-gw-config': config },
    { 'x-gw-config': JSON.stringify(custom) },
    {
      'x-gw-provider': 'openai',
      authorization: `Bearer ${secrets.bearer}`,
      'x-gw-custom-host': `${upstream.origin}/v1`,
    },
  ];
  for (const headers of callers) {
    const answer = await fetch(`${gateway.baseUrl}/chat/completions?key=${key}`, {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', 'x-gw-api-key': key, cookie: secrets.cookie },
        ...ofClouds,
        ...{ 'user-agent': 'tester', 'x-gw-metadata': JSON.stringify({ by: `mistake ${key}` }) },
        ...headers,
      },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: secrets.content }] }),
    });
    expect(answer.status).toBe(401);
  }
  await expect.poll(async () => (await read(gateway, '/logs')).body.data.length).toBe(3);
  const { body } = await read(gateway, '/logs');
  const record = (await read(gateway, `/logs/${body.data[0].id}`)).body;
  expect(record.error).toMatch(/^Wrong key: /);
  expect(Object.keys(ofClouds)).toHaveLength(6);
  expect(record.headers).toEqual({ 'user-agent': 'tester' });
  if (bodies) expect(JSON.stringify(record.request.body)).toContain(secrets.content);
  expect('request' in record).toBe(bodies);
  gateway.signal('SIGTERM');
  await gateway.exited;
  const files = ['gateway-log.db', 'gateway-log.db-wal'].map((name) => path.join(folder, name)).filter(existsSync);
  const kept = files.map((file) => readFileSync(file, 'latin1')).join('');
  expect(kept).toContain('chat/completions');
  for (const secret of [...Object.values(secrets), key, adminKey]) expect(kept).not.toContain(secret);
});
