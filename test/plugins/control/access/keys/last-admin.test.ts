import { expect, it } from 'vitest';
import {
  ensureFirst,
  type FirstStart,
  recoverAdminKey,
  reportFirstStart,
} from '../../../../../plugins/control/access/keys/first-key.ts';
import type { KeyUpdateBody } from '../../../../../plugins/control/access/keys/key-bodies.ts';
import {
  type KeyPrincipal,
  keyReader,
  principalMaker,
} from '../../../../../plugins/control/access/keys/key-principal.ts';
import { createKeyService, type KeyService } from '../../../../../plugins/control/access/keys/key-service.ts';
import { keyHash } from '../../../../../plugins/control/access/keys/key-text.ts';
import { scopes } from '../../../../../plugins/control/kernel/requests/scopes.ts';
import type { Store } from '../../../../../plugins/control/kernel/store/store.ts';
import { onEachStore } from '../../kernel/secrets/each-store.ts';
import { refusal } from '../../support/key-world.ts';

const toService = (store: Store): KeyService => createKeyService({ store, now: Date.now, hasConfig: async () => true });

const readCaller = async (store: Store, key: string): Promise<KeyPrincipal> => {
  const record = await keyReader(store).byHash(keyHash(key));
  if (record === undefined) throw new Error('There is no such key.');
  return principalMaker()(record);
};

const firstAdmin = async (store: Store): Promise<KeyPrincipal> => {
  const first = await ensureFirst(store, { now: Date.now() });
  return readCaller(store, first.made === 'new' ? first.key : '');
};

/** Returns what the operator reads at the start. */
const readReport = async (first: FirstStart): Promise<string> => {
  const said: string[] = [];
  await reportFirstStart(first, { say: (text) => said.push(text), isTerminal: true, file: 'admin-key' });
  return said.join('');
};

const soon = Math.floor(Date.now() / 1000) + 3600;
const organisation = { name: 'k', kind: 'organisation', scopes } as const;

const endings: readonly (readonly [string, KeyUpdateBody])[] = [
  ['an end', { expires_at: soon }],
  ['no scopes', { scopes: [] }],
  ...scopes
    .filter((scope) => scope.startsWith('keys.'))
    .map((scope) => [`no ${scope}`, { scopes: scopes.filter((each) => each !== scope) }] as const),
];

onEachStore((newStore) => {
  it('no caller can revoke the last admin key, make it expire or take its scopes', async () => {
    const store = await (await newStore())();
    const keys = toService(store);
    const admin = await firstAdmin(store);
    // None of these can replace it: they lack scopes, belong to a workspace, expire or are revoked.
    const some = await keys.create(admin, { ...organisation, scopes: ['keys.delete', 'keys.update'] });
    await keys.create(admin, { ...organisation, kind: 'workspace-service', workspace_id: 'default' });
    await keys.create(admin, { ...organisation, expires_at: soon });
    const gone = await keys.create(admin, organisation);
    await keys.revoke(admin, gone.id);
    for (const caller of [admin, await readCaller(store, some.key)]) {
      expect(await refusal(keys.revoke(caller, admin.keyId))).toEqual(['conflict']);
      for (const [what, body] of endings)
        expect([what, ...(await refusal(keys.update(caller, admin.keyId, body)))]).toEqual([what, 'conflict']);
    }
    expect(await refusal(keys.update(admin, admin.keyId, { name: 'root' }))).toEqual(['ok']);
    const rotated = await keys.rotate(admin, admin.keyId);
    const again = await readCaller(store, (await keys.rotate(admin, admin.keyId)).key);
    expect([rotated.id, again.keyId]).toEqual([admin.keyId, admin.keyId]);
    await keys.create(again, organisation);
    expect(await refusal(keys.revoke(again, admin.keyId))).toEqual(['ok']);
  });

  it.each([
    ['themselves', false],
    ['each other', true],
  ])('one of two admin keys that revoke %s at once remains', async (_, isOther) => {
    const open = await newStore();
    const stores = [await open(), await open()] as const;
    const first = await firstAdmin(stores[0]);
    const second = await readCaller(stores[0], await recoverAdminKey(stores[0], { now: Date.now() }));
    const results = await Promise.all(
      [
        toService(stores[0]).revoke(first, isOther ? second.keyId : first.keyId),
        toService(stores[1]).revoke(second, isOther ? first.keyId : second.keyId),
      ].map(refusal),
    );
    expect(results.filter(([what]) => what === 'ok')).toHaveLength(1);
    const left = await stores[1].db.selectFrom('keys').select('id').where('status', '!=', 'revoked').execute();
    expect(left).toHaveLength(1);
  });

  it('a start reports the admin key as lost if no key can manage keys', async () => {
    const store = await (await newStore())();
    await firstAdmin(store);
    const second = await ensureFirst(store, { now: Date.now() });
    expect(second).toEqual({ made: 'none', given: 'absent' });
    expect(await readReport(second)).toBe('');
    await store.write((writing) => writing.updateTable('keys').set({ status: 'revoked' }).execute());
    const first = await ensureFirst(store, { now: Date.now() });
    expect(first).toEqual({ made: 'none', given: 'absent', isLost: true });
    expect(await readReport(first)).toMatch(
      /No key of this store can manage keys any more: .* gw keys create --admin /,
    );
  });
});
