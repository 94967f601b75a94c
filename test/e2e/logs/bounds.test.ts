import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { adminKey, control, makeKey, serveStore } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { read, readRecord } from './support/logged.ts';

const megabyte = 1024 * 1024;

const ask = (baseUrl: string, body: object, key: string): Promise<Response> =>
  fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-api-key': key, 'x-gw-provider': 'echo' },
    body: JSON.stringify({ model: 'any', ...body }),
  });

const user = 'ann@example.com';

/**
 * Starts a gateway with these log settings, and returns it with a key and the record of a request that is labelled with its
 * user.
 */
const serveLogged = async (log: object) => {
  const gateway = await serveStore('gateway.db', {
    folder: temporaryFolder(),
    files: { 'gateway.json': { log: { bodies: true, ...log } } },
  });
  const { key } = await makeKey(gateway, 'app');
  const recordOf = async (answer: Response) => {
    await answer.text();
    return readRecord(gateway, answer.headers.get('x-gw-trace-id') ?? '');
  };
  const answer = await ask(gateway.baseUrl, { user, messages: [{ role: 'user', content: 'Hi' }] }, key);
  return { gateway, key, recordOf, record: await recordOf(answer) };
};

/** Sends the same label in a form: an image to edit. */
const askWithForm = (baseUrl: string, key: string): Promise<Response> => {
  const body = new FormData();
  for (const [name, value] of Object.entries({ model: 'any', prompt: 'Greener', user })) body.set(name, value);
  body.set('image', new Blob(['picture'], { type: 'image/png' }), 'a.png');
  const headers = { 'x-gw-api-key': key, 'x-gw-provider': 'openai', 'x-gw-custom-host': 'http://127.0.0.1:9/v1' };
  return fetch(`${baseUrl}/images/edits`, { method: 'POST', headers: { ...headers, authorization: 'Bearer k' }, body });
};

it.each([[['/user']], [['/messages', '/*']]])(
  'redacts the label of a user if %j is redacted from bodies',
  async (redact) => {
    const { gateway, key, record, recordOf } = await serveLogged({ redact });
    const ofForm = await recordOf(await askWithForm(gateway.baseUrl, key));
    const ofUsers = [{ key: 'metadata._user', value: '*' }];
    await control(gateway, 'POST /policies/rate-limits', {
      body: {
        ...{ name: 'None', type: 'requests', unit: 'rpd', value: 0 },
        ...{ conditions: ofUsers, group_by: [{ key: 'metadata._user' }] },
      },
    });
    const refused = await recordOf(await ask(gateway.baseUrl, { user, messages: [] }, key));
    expect(refused.problem.about).toBe('the limit "None" for _user "[redacted]"');
    // The answer to the client is another body, from which other members are redacted.
    for (const each of [record, ofForm, { ...refused, response: undefined }]) {
      expect(each.metadata._user).toBe('[redacted]');
      expect(JSON.stringify(each)).not.toContain(user);
    }
  },
);

it('keeps the log and its journal within "keep_mb", and keeps labels if other members are redacted', async () => {
  const { gateway, key, record } = await serveLogged({ keep_mb: 8, redact: ['/messages/*/role'] });
  expect([record.metadata._user, record.request.body.messages[0].role]).toEqual([user, '[redacted]']);
  const sizes = (): number =>
    readdirSync(gateway.folder)
      .filter((name) => name.startsWith('gateway-log.db'))
      .reduce((sum, name) => sum + statSync(path.join(gateway.folder, name)).size, 0);
  const content = 'x'.repeat(30_000);
  // Three times as much as it may keep.
  for (let round = 0; round < 10; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => ask(gateway.baseUrl, { messages: [{ role: 'user', content }] }, key)),
    );
    for (const answer of answers) await answer.text();
  }
  const listed = async (): Promise<number> => (await read(gateway, '/logs', { key: adminKey })).body.data.length;
  // Records are written after the answers: the files are small until then.
  await expect.poll(listed, patience).toBeGreaterThan(10);
  await expect.poll(sizes, patience).toBeLessThanOrEqual(8 * megabyte);
  expect(await listed()).toBeGreaterThan(10);
});
