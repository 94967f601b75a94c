import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import {
  callControl,
  chatUpstream,
  control,
  makeKey,
  saveChat,
  serveStore,
} from '../../support/gateways/stored-gateway.ts';

const rate_limits = [{ type: 'requests', unit: 'rpd', value: 100 }];

/** A gateway whose store is changed by hand while it is stopped. */
const restarted = async (
  fill: (gateway: GatewayProcess) => Promise<void>,
  change: (db: DatabaseSync) => void,
): Promise<GatewayProcess> => {
  const folder = temporaryFolder();
  const first = await serveStore('gateway.db', { folder });
  await fill(first);
  first.signal('SIGTERM');
  await first.exited;
  const db = new DatabaseSync(path.join(folder, 'gateway.db'));
  change(db);
  db.close();
  return serveStore('gateway.db', { folder });
};

const body = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] };

const asked = async ({ baseUrl }: GatewayProcess, key: string, headers: Readonly<Record<string, string>>) => {
  const answer = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'x-gw-api-key': key, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const { error } = (await answer.json()) as { readonly error?: { readonly code: string; readonly message: string } };
  return { status: answer.status, code: error?.code, message: error?.message };
};

describe('a row that cannot be read', () => {
  it.each(['{}', '{', 'null', '5', '{"rate_limits":[{"type":"requests","unit":"rpz","value":1}],"usage_limits":null}'])(
    'with the limits %s of a key causes only requests of that key to be refused',
    async (limits) => {
      const keys: Record<string, { readonly id: string; readonly key: string }> = {};
      const gateway = await restarted(
        async (first) => {
          for (const name of ['ada', 'ben']) keys[name] = await makeKey(first, name);
          await control(first, `PUT /api-keys/${keys.ada?.id}`, { body: { rate_limits } });
        },
        (db) => db.prepare('UPDATE keys SET limits = ? WHERE id = ?').run(limits, keys.ada?.id ?? ''),
      );
      const echo = { 'x-gw-provider': 'echo' };
      expect(await asked(gateway, keys.ada?.key ?? '', echo)).toEqual({
        ...{ status: 500, code: 'unreadable-limit' },
        message: expect.stringContaining('The limit "key ada" in the store cannot be read'),
      });
      expect(await asked(gateway, keys.ben?.key ?? '', echo)).toMatchObject({ status: 200 });
      const said = gateway.printed().match(/^gw: The store has limits of "key ada".*$/gm);
      expect(said).toEqual([
        `gw: The store has limits of "key ada" (${keys.ada?.id}) that cannot be read, and the requests that they may cover are refused. Save them again, or delete them. If a later version of the gateway wrote them, use that version.`,
      ]);
      // A change is still followed, and repairs the row.
      await control(gateway, `PUT /api-keys/${keys.ben?.id}`, { body: { rate_limits } });
    },
  );

  it.each([
    ['defaults', '5'],
    ['defaults', 'null'],
    ['scopes', '{'],
    ['scopes', '{}'],
    ['scopes', '"*"'],
    ['mask', Buffer.of(0xff)],
  ])('of a key with the %s %s is not accepted, and other keys are still followed', async (column, value) => {
    const keys: Record<string, { readonly id: string; readonly key: string }> = {};
    const gateway = await restarted(
      async (first) => {
        for (const name of ['ada', 'ben']) keys[name] = await makeKey(first, name);
      },
      (db) => db.prepare(`UPDATE keys SET ${column} = ? WHERE id = ?`).run(value, keys.ada?.id ?? ''),
    );
    const echo = { 'x-gw-provider': 'echo' };
    expect(await asked(gateway, keys.ada?.key ?? '', echo)).toMatchObject({ status: 401 });
    expect(await asked(gateway, keys.ben?.key ?? '', echo)).toMatchObject({ status: 200 });
    expect(gateway.printed()).toContain(`gw: The key "ada" (${keys.ada?.id}) in the store cannot be read`);
    await control(gateway, `DELETE /api-keys/${keys.ben?.id}`);
    expect(await asked(gateway, keys.ben?.key ?? '', echo)).toMatchObject({ status: 401 });
  });

  it.each([
    ['keys', 'x'],
    ['keys', 1e300],
    ['organisations', 'x'],
  ])('of %s with the change time %s does not hide later changes of others', async (table, value) => {
    const keys: Record<string, { readonly id: string; readonly key: string }> = {};
    const gateway = await restarted(
      async (first) => {
        for (const name of ['ada', 'ben']) keys[name] = await makeKey(first, name);
      },
      (db) => db.prepare(`UPDATE ${table} SET updated_at = ? WHERE name IN ('ada', 'default')`).run(value),
    );
    const echo = { 'x-gw-provider': 'echo' };
    const asksAs = async (name: string) => (await asked(gateway, keys[name]?.key ?? '', echo)).status;
    expect([await asksAs('ada'), await asksAs('ben')]).toEqual([200, 200]);
    await control(gateway, `DELETE /api-keys/${keys.ben?.id}`);
    expect([await asksAs('ada'), await asksAs('ben')]).toEqual([200, 401]);
    keys.cem = await makeKey(gateway, 'cem');
    expect(await asksAs('cem')).toBe(200);
    await control(gateway, `DELETE /api-keys/${keys.ada?.id}`);
    expect(await asksAs('ada')).toBe(401);
    await control(gateway, 'PUT /organisation', { body: { settings: { metadata: { team: 'a' } } } });
  });

  it.each([
    ['group_by', '[null]'],
    ['conditions', '[{"key":"colour","value":"red"}]'],
    ['unit', 'rpz'],
    ['amount', -1],
    ['if_unknown', 'later'],
  ])(
    'of a policy with the %s %s causes requests of its workspace to be refused until it is deleted',
    async (column, value) => {
      let id = '';
      let other = '';
      const limit = { type: 'requests', unit: 'rpd', value: 100 };
      const gateway = await restarted(
        async (first) => {
          const policy = { conditions: [{ key: 'model', value: 'm' }], group_by: [{ key: 'api_key' }], ...limit };
          id = (await control(first, 'POST /policies/rate-limits', { body: policy })).id ?? '';
          await control(first, 'POST /workspaces', { body: { name: 'Other', slug: 'other' } });
          const service = { name: 'other', scopes: ['completions.write'], workspace_id: 'other' };
          other = (await control(first, 'POST /api-keys/workspace/service', { body: service })).key ?? '';
        },
        (db) => db.prepare(`UPDATE policies SET ${column} = ?`).run(value),
      );
      const { key } = await makeKey(gateway, 'ada');
      const echo = { 'x-gw-provider': 'echo' };
      expect(await asked(gateway, key, echo)).toMatchObject({ status: 500, code: 'unreadable-limit' });
      expect(await asked(gateway, other, echo)).toMatchObject({ status: 200 });
      await control(gateway, `DELETE /policies/rate-limits/${id}`);
      expect(await asked(gateway, key, echo)).toMatchObject({ status: 200 });
    },
  );

  it.each([
    ['credential', 'null'],
    ['credential', '{"api_key":null}'],
    ['settings', '{'],
    ['origins', '5'],
    ['tls', '{}'],
  ])('of a provider with the %s %s does not affect other providers', async (column, value) => {
    const upstream = await chatUpstream();
    const gateway = await restarted(
      async (first) => {
        for (const slug of ['whole', 'damaged']) await saveChat(first, { upstream, slug, credential: `sk-${slug}` });
      },
      (db) => db.prepare(`UPDATE providers SET ${column} = ? WHERE slug = 'damaged'`).run(value),
    );
    const { key } = await makeKey(gateway, 'ada');
    expect(await asked(gateway, key, { 'x-gw-config': 'whole' })).toMatchObject({ status: 200 });
    const { status, message } = await asked(gateway, key, { 'x-gw-config': 'damaged' });
    expect([status, message]).not.toContain(200);
    expect(gateway.printed()).not.toMatch(/\n\s+at /);
  });

  it.each([
    ['organisations', 'null'],
    ['workspaces', '{'],
  ])(
    'of %s with the settings %s causes their requests to be refused, and the gateway still serves',
    async (table, value) => {
      const gateway = await restarted(
        async () => {},
        (db) => db.prepare(`UPDATE ${table} SET settings = ?`).run(value),
      );
      const { key } = await makeKey(gateway, 'ada');
      expect(await asked(gateway, key, { 'x-gw-provider': 'echo' })).toMatchObject({ status: 500 });
      expect(gateway.printed()).toContain('is not an object in JSON: correct it in the database.');
    },
  );

  it("of the only admin key does not prevent the gateway's start", async () => {
    const gateway = await restarted(
      async () => {},
      (db) => db.exec("UPDATE keys SET scopes = '{}'"),
    );
    expect(await asked(gateway, 'gw-no-key', { 'x-gw-provider': 'echo' })).toMatchObject({ status: 401 });
  });

  it('of a default guardrail lets no request pass unchecked', async () => {
    const gateway = await restarted(
      async (first) => {
        const checks = [{ id: 'contains', parameters: { words: ['secret'], operator: 'none' } }];
        await control(first, 'POST /guardrails', { body: { name: 'G', slug: 'g', checks, actions: { deny: true } } });
        await control(first, 'PUT /workspaces/default', { body: { settings: { input_guardrails: ['g'] } } });
      },
      (db) => db.exec("UPDATE guardrails SET checks = 'null'"),
    );
    const { key } = await makeKey(gateway, 'ada');
    expect(await asked(gateway, key, { 'x-gw-provider': 'echo' })).toMatchObject({
      ...{ status: 500, code: 'default-guardrail-not-usable' },
    });
    expect(gateway.printed()).toContain('gw: The guardrail "g" (');
    await callControl(gateway, 'DELETE /guardrails/g');
  });
});
