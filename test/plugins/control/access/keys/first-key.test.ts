import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import {
  AdminKeyError,
  checkGivenKeys,
  ensureFirst,
  recoverAdminKey,
  reportFirstStart,
} from '../../../../../plugins/control/access/keys/first-key.ts';
import { heldScopes } from '../../../../../plugins/control/access/keys/key-principal.ts';
import { keyHash, parseKeyText } from '../../../../../plugins/control/access/keys/key-text.ts';
import { scopes } from '../../../../../plugins/control/kernel/requests/scopes.ts';
import type { Store } from '../../../../../plugins/control/kernel/store/store.ts';
import { temporaryFolder } from '../../../../support/commands/temporary-folder.ts';
import { firstPage, keyWorld } from '../../support/key-world.ts';
import { temporaryStore } from '../../support/temporary-store.ts';

const now = Date.UTC(2026, 0, 1);
const chosen = randomBytes(32).toString('hex');

const readAdmins = (store: Store) =>
  store.db.selectFrom('keys').selectAll().where('kind', '=', 'organisation').execute();

it('the first start creates an organisation, a workspace and an admin key, and returns the key once', async () => {
  await using opened = await temporaryStore();
  const { store } = opened;
  const first = await ensureFirst(store, { now });
  const key = first.made === 'new' ? first.key : '';
  expect(parseKeyText(key)).toBeDefined();
  expect(await store.db.selectFrom('organisations').select('name').execute()).toEqual([{ name: 'default' }]);
  expect(await store.db.selectFrom('workspaces').select('slug').execute()).toEqual([{ slug: 'default' }]);
  const [admin, ...others] = await readAdmins(store);
  expect(others).toEqual([]);
  expect(admin).toMatchObject({ id: parseKeyText(key)?.id, hash: keyHash(key), status: 'active', workspace_id: null });
  expect(admin && heldScopes(admin)).toEqual(scopes);
  expect(JSON.stringify(admin)).not.toContain(parseKeyText(key)?.secret);
  expect((await store.versions()).keys).toBe(1);
  expect(await ensureFirst(store, { now })).toEqual({ made: 'none', given: 'absent' });
  expect(await store.db.selectFrom('workspaces').selectAll().execute()).toHaveLength(1);
});

it('only one of several concurrent first starts creates the key', async () => {
  await using opened = await temporaryStore();
  const starts = await Promise.all(Array.from({ length: 8 }, () => ensureFirst(opened.store, { now })));
  expect(starts.filter(({ made }) => made === 'new')).toHaveLength(1);
  expect(await readAdmins(opened.store)).toHaveLength(1);
});

it('a chosen key is stored as a hash, and only at the first start', async () => {
  await using opened = await temporaryStore();
  const { store } = opened;
  expect(await ensureFirst(store, { now, adminKey: chosen })).toEqual({ made: 'given' });
  const [admin] = await readAdmins(store);
  expect(admin?.hash).toBe(keyHash(chosen));
  expect(await ensureFirst(store, { now, adminKey: chosen })).toEqual({ made: 'none', given: 'accepted' });
  expect(await ensureFirst(store, { now, adminKey: `${chosen}0` })).toEqual({ made: 'none', given: 'unknown' });
  expect(await readAdmins(store)).toHaveLength(1);
});

it.each([
  ['too short', '16', /has 2 characters, and needs at least 32\. Set it to what "openssl rand -hex 32" prints/],
  ['followed by a space', `${chosen} `, /a character that a header cannot carry/],
])('a chosen key that is %s is refused', async (_, adminKey, message) => {
  const refused = await checkGivenKeys({ env: { GW_ADMIN_KEY: adminKey } }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(AdminKeyError);
  expect(String(refused)).toMatch(message);
});

it('a restart does not restore a revoked admin key', async () => {
  await using world = await keyWorld();
  const { store, keys, admin, adminKey } = world;
  const other = await world.readCaller(await recoverAdminKey(store, { now: world.time.now }));
  await keys.revoke(other, admin.keyId);
  expect(await ensureFirst(store, { now, adminKey })).toEqual({ made: 'none', given: 'unknown' });
  expect((await readAdmins(store)).map(({ status }) => status).sort()).toEqual(['active', 'revoked']);
});

it('a lost admin key is replaced by a new one, in the same organisation', async () => {
  await using world = await keyWorld();
  const key = await recoverAdminKey(world.store, { now: world.time.now });
  const recovered = await world.readCaller(key);
  expect(recovered).toMatchObject({ reach: 'organisation', organisation: world.admin.organisation });
  expect([...recovered.scopes]).toEqual(scopes);
  expect(await world.keys.list(recovered, firstPage)).toMatchObject({ total: 2 });
});

it('an admin key can be recovered before the first start', async () => {
  await using opened = await temporaryStore();
  await recoverAdminKey(opened.store, { now });
  expect(await ensureFirst(opened.store, { now })).toEqual({ made: 'none', given: 'absent' });
});

it('the file with the first key of a store does not replace that of another store in the same folder', async () => {
  const file = path.join(temporaryFolder(), 'gateway.admin-key');
  const report = async (key: string, isShared: boolean) => {
    const said: string[] = [];
    await reportFirstStart({ made: 'new', key }, { say: (text) => said.push(text), isTerminal: false, file, isShared });
    return said.join('');
  };
  for (const key of ['first', 'second', 'third']) await report(key, true);
  expect(['', '.2', '.3'].map((ending) => readFileSync(`${file}${ending}`, 'utf8'))).toEqual([
    'first\n',
    'second\n',
    'third\n',
  ]);
  expect(await report('fourth', true)).toContain(`is in ${file}.4.`);
  expect(statSync(`${file}.4`).mode % 0o1000).toBe(0o600);
  expect(readdirSync(path.dirname(file))).toHaveLength(4);
  await report('own', false);
  expect(readFileSync(file, 'utf8')).toBe('own\n');
});
