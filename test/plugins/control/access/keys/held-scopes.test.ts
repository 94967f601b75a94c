import { describe, expect, it } from 'vitest';
import { adminScopes, heldScopes, type ScopedKey } from '../../../../../plugins/control/access/keys/key-principal.ts';
import { scopes } from '../../../../../plugins/control/kernel/requests/scopes.ts';
import { keyWorld } from '../../support/key-world.ts';

const older = scopes.filter((scope) => !['metrics.read', 'logs.view', 'audit_logs.list'].includes(scope));

const toKey = (list: readonly string[], change: Partial<ScopedKey> = {}): ScopedKey => ({
  ...{ scopes: JSON.stringify(list), kind: 'organisation', created_by: null, created_at: 1, updated_at: 1 },
  ...change,
});

describe('an admin key', () => {
  it('has all scopes, including those that were added after it was created', () => {
    expect(heldScopes(toKey(older))).toEqual(scopes);
    expect(heldScopes(toKey(adminScopes.filter((scope) => scope !== 'metrics.read')))).toEqual(scopes);
  });

  it.each<[string, ScopedKey]>([
    ['was changed', toKey(older, { updated_at: 2 })],
    ['was created by another key', toKey(older, { created_by: 'k' })],
    ['belongs to a workspace', toKey(older, { kind: 'workspace-service' })],
  ])('has only its stored scopes if it %s', (_, key) => {
    expect(heldScopes(key)).toEqual(older);
  });

  it('has neither the scopes that it never had nor those that this version does not know', () => {
    expect(heldScopes(toKey(['keys.list', 'no.scope', 'configs:read']))).toEqual(['keys.list', 'configs.read']);
  });

  it('keeps all scopes when its name changes, and loses those that are removed', async () => {
    await using world = await keyWorld();
    const { keys, admin, adminKey } = world;
    await keys.update(admin, admin.keyId, { name: 'root' });
    expect([...(await world.readCaller(adminKey)).scopes]).toEqual(scopes);
    const fewer = scopes.filter((scope) => scope !== 'metrics.read');
    await keys.update(admin, admin.keyId, { scopes: fewer });
    expect([...(await world.readCaller(adminKey)).scopes]).toEqual(fewer);
  });
});
