import { describe, expect, it } from 'vitest';
import type { NewKeyBody } from '../../../../../plugins/control/access/keys/key-bodies.ts';
import type { KeyPrincipal } from '../../../../../plugins/control/access/keys/key-principal.ts';
import { keyHash, parseKeyText } from '../../../../../plugins/control/access/keys/key-text.ts';
import type { OrganisationId, TenantId } from '../../../../../plugins/sdk/exchange/exchange.ts';
import { firstPage, type KeyWorld, keyWorld, refusal, startTime } from '../../support/key-world.ts';

const plain: NewKeyBody = { name: 'backend', scopes: ['completions.write'] };
const inSeconds = (ms: number): number => Math.floor(ms / 1000);
const hour = 3_600_000;

const made = async (world: KeyWorld, body: Partial<NewKeyBody>, by: KeyPrincipal = world.admin) => {
  const { id, key } = await world.keys.create(by, { ...plain, ...body });
  return { id, key, caller: await world.readCaller(key) };
};

describe('a new key', () => {
  it('is returned once and stored as a hash', async () => {
    await using world = await keyWorld();
    const { id, key } = await world.keys.create(world.admin, plain);
    expect(parseKeyText(key)?.id).toBe(id);
    const row = await world.store.db.selectFrom('keys').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(row.hash).toBe(keyHash(key));
    expect(JSON.stringify(row)).not.toContain(parseKeyText(key)?.secret);
    expect(await world.keys.get(world.admin, id)).toEqual({
      object: 'api-key',
      id,
      name: 'backend',
      key: `gw-…${parseKeyText(key)?.secret.slice(-4)}`,
      kind: 'workspace-service',
      organisation_id: world.admin.organisation,
      workspace_id: world.admin.tenant,
      user_id: null,
      scopes: ['completions.write'],
      defaults: {},
      status: 'active',
      rate_limits: [],
      usage_limits: null,
      expires_at: null,
      rotation_policy: null,
      key_transition_expires_at: null,
      created_by: world.admin.keyId,
      created_at: inSeconds(startTime),
      last_updated_at: inSeconds(startTime),
    });
  });

  it('of each kind identifies a caller with its workspace, scopes and defaults', async () => {
    await using world = await keyWorld();
    const research = await world.addWorkspace('research');
    const service = await made(world, {
      workspace_id: 'research',
      scopes: ['policies:create', 'completions.write', 'policies.create'],
      defaults: { metadata: { team: 'search' }, config_id: 'saved', allow_config_override: false },
    });
    expect(service.caller).toEqual({
      tenant: research,
      keyId: service.id,
      kind: 'workspace-service',
      organisation: world.admin.organisation,
      workspace: research,
      reach: 'workspace',
      scopes: new Set(['policies.create', 'completions.write']),
      defaults: { metadata: { team: 'search' }, config: 'saved', allowConfigOverride: false },
    });
    const user = await made(world, { kind: 'workspace-user', user_id: 'ada', workspace_id: research });
    expect(user.caller).toMatchObject({
      userId: 'ada',
      kind: 'workspace-user',
      reach: 'workspace',
      workspace: research,
    });
    const organisation = await made(world, { kind: 'organisation' });
    expect(organisation.caller).toMatchObject({ reach: 'organisation', tenant: world.admin.tenant });
    expect(organisation.caller.workspace).toBe(world.admin.tenant);
  });

  it.each<[string, Partial<NewKeyBody>, readonly string[]]>([
    ['a blank name', { name: ' ' }, ['/name']],
    ['a name with control characters', { name: 'a\0b' }, ['/name']],
    ['a workspace with control characters', { workspace_id: '\0' }, ['/workspace_id']],
    ['a name that is too long', { name: 'n'.repeat(256) }, ['/name']],
    ['unknown scopes', { scopes: ['keys.read', 'key.read', 'x'] }, ['/scopes/1', '/scopes/2']],
    ['an unknown workspace', { workspace_id: 'nowhere' }, ['/workspace_id']],
    ['a workspace for a key of the organisation', { kind: 'organisation', workspace_id: 'default' }, ['/workspace_id']],
    ['no user for a user key', { kind: 'workspace-user' }, ['/user_id']],
    ['a user for a service key', { user_id: 'ada' }, ['/user_id']],
    [
      'a user who manages keys',
      { kind: 'workspace-user', user_id: 'ada', scopes: ['keys.read', 'keys.rotate'] },
      ['/scopes/1'],
    ],
    ['an expiry in the past', { expires_at: inSeconds(startTime) }, ['/expires_at']],
    ['an expiry in milliseconds', { expires_at: startTime + hour }, ['/expires_at']],
    ['an expiry with half a second', { expires_at: inSeconds(startTime) + 1.5 }, ['/expires_at']],
    [
      'metadata that is too long',
      { defaults: { metadata: { ok: 'x'.repeat(128), 'a/b': 'x'.repeat(129), ['n'.repeat(129)]: '' } } },
      ['/defaults/metadata/a~1b', `/defaults/metadata/${'n'.repeat(129)}`],
    ],
    ['an unknown config', { defaults: { config_id: 'unsaved' } }, ['/defaults/config_id']],
    [
      'another user in the metadata',
      { kind: 'workspace-user', user_id: 'ada', defaults: { metadata: { _user: 'bob' } } },
      ['/defaults/metadata/_user'],
    ],
    ['a rotation policy without a time', { rotation_policy: {} }, ['/rotation_policy']],
    ['a rotation in the past', { rotation_policy: { next_rotation_at: 1 } }, ['/rotation_policy/next_rotation_at']],
    ['several problems', { name: '', scopes: ['x'], expires_at: 1 }, ['/name', '/scopes/0', '/expires_at']],
  ])('with %s is refused', async (_, body, pointers) => {
    await using world = await keyWorld();
    expect(await refusal(world.keys.create(world.admin, { ...plain, ...body }))).toEqual([
      'invalid-input',
      ...pointers,
    ]);
    expect((await world.keys.list(world.admin, firstPage)).total).toBe(1);
  });

  it('with an unknown scope is refused with a suggestion', async () => {
    await using world = await keyWorld();
    await expect(world.keys.create(world.admin, { ...plain, scopes: ['config:read'] })).rejects.toMatchObject({
      report: {
        errors: [
          { pointer: '/scopes/0', message: 'There is no scope "config:read".', hint: 'Did you mean "configs.read"?' },
        ],
      },
    });
  });

  it('cannot have a scope or a workspace that its creator lacks', async () => {
    await using world = await keyWorld();
    const other = await world.addWorkspace('other');
    const foreign = await world.addWorkspace('default', 'another organisation');
    const { caller } = await made(world, { scopes: ['keys.create', 'keys.read'] });
    const asked = async (body: Partial<NewKeyBody>, by = caller): Promise<readonly string[]> =>
      refusal(world.keys.create(by, { ...plain, scopes: [], ...body }));
    expect(await asked({ scopes: ['keys.read', 'logs.list', 'keys:list'] })).toEqual([
      'forbidden',
      '/scopes/1',
      '/scopes/2',
    ]);
    expect(await asked({ kind: 'organisation' })).toEqual(['forbidden', '/kind']);
    for (const workspace_id of ['other', other, foreign, 'nowhere'])
      expect(await asked({ workspace_id })).toEqual(['forbidden', '/workspace_id']);
    expect(await asked({ organisation_id: 'another organisation' })).toEqual(['forbidden', '/organisation_id']);
    expect(await asked({ workspace_id: 'default', organisation_id: caller.organisation })).toEqual(['ok']);
    expect(await asked({ workspace_id: foreign }, world.admin)).toEqual(['invalid-input', '/workspace_id']);
    expect(await asked({}, { ...caller, scopes: new Set() })).toEqual(['ok']);
  });

  it('cannot be created by a caller from outside the store, who cannot see or change keys either', async () => {
    await using world = await keyWorld();
    const caller = { tenant: 'file' as TenantId, keyId: 'file' };
    for (const answer of [
      world.keys.create(caller, plain),
      world.keys.list(caller, firstPage),
      world.keys.get(caller, world.admin.keyId),
      world.keys.update(caller, world.admin.keyId, {}),
      world.keys.rotate(caller, world.admin.keyId),
      world.keys.revoke(caller, world.admin.keyId),
    ].map(refusal))
      expect(await answer).toEqual(['forbidden', '']);
  });
});

describe('the keys that a caller sees', () => {
  it('are those of its user, workspace or organisation, and all others are not found', async () => {
    await using world = await keyWorld();
    await world.addWorkspace('other');
    const foreign = { ...world.admin, organisation: 'o2' as OrganisationId };
    const own = await made(world, {});
    const other = await made(world, { workspace_id: 'other' });
    const ada = await made(world, { kind: 'workspace-user', user_id: 'ada' });
    const bob = await made(world, { kind: 'workspace-user', user_id: 'bob' });
    const seen = async (caller: KeyPrincipal): Promise<readonly string[]> =>
      (await world.keys.list(caller, firstPage)).data.map(({ id }) => id);
    const all = [bob.id, ada.id, other.id, own.id, world.admin.keyId];
    expect(await seen(world.admin)).toEqual(all);
    expect(await seen(own.caller)).toEqual([bob.id, ada.id, own.id]);
    expect(await seen(other.caller)).toEqual([other.id]);
    expect(await seen(ada.caller)).toEqual([ada.id]);
    expect(await seen(foreign)).toEqual([]);
    for (const [caller, id] of [
      [own.caller, other.id],
      [own.caller, world.admin.keyId],
      [ada.caller, bob.id],
      [foreign, own.id],
      [world.admin, 'no id'],
      [world.admin, '\0'],
    ] as const)
      for (const answer of [
        world.keys.get(caller, id),
        world.keys.update(caller, id, { name: 'mine' }),
        world.keys.rotate(caller, id),
        world.keys.revoke(caller, id),
      ].map(refusal))
        expect(await answer).toEqual(['not-found']);
    expect((await world.store.versions()).keys).toBe(5);
  });

  it('are listed in pages, by workspace or status', async () => {
    await using world = await keyWorld();
    await world.addWorkspace('other');
    const first = await made(world, { workspace_id: 'other' });
    const second = await made(world, { workspace_id: 'other' });
    await made(world, {});
    await world.keys.revoke(world.admin, first.id);
    const ids = async (query: Partial<Parameters<typeof world.keys.list>[1]>) => {
      const { total, data } = await world.keys.list(world.admin, { ...firstPage, ...query });
      return [total, ...data.map(({ id }) => id)];
    };
    expect(await ids({ workspace_id: 'other' })).toEqual([2, second.id, first.id]);
    expect(await ids({ workspace_id: 'other', page_size: 1, current_page: 1 })).toEqual([2, first.id]);
    expect(await ids({ workspace_id: 'other', current_page: 7 })).toEqual([2]);
    expect(await ids({ status: 'revoked' })).toEqual([1, first.id]);
    expect(await ids({ workspace_id: 'nowhere' })).toEqual([0]);
  });
});

describe('a change of a key', () => {
  it('sets the members that it contains, removes those that are null and keeps the rest', async () => {
    await using world = await keyWorld();
    const expires_at = inSeconds(startTime) + 60;
    const { id } = await made(world, { expires_at, rotation_policy: { rotation_period: 'weekly' } });
    const before = await world.keys.get(world.admin, id);
    expect(before.rotation_policy).toEqual({
      rotation_period: 'weekly',
      next_rotation_at: inSeconds(startTime) + 7 * 86_400,
    });
    world.time.now += 5000;
    expect(await world.keys.update(world.admin, id, { name: 'new', defaults: { config_id: 'saved' } })).toEqual({
      ...before,
      ...{ name: 'new', defaults: { config_id: 'saved' }, last_updated_at: before.last_updated_at + 5 },
    });
    const after = await world.keys.update(world.admin, id, {
      expires_at: null,
      rotation_policy: null,
      scopes: ['logs:list'],
    });
    expect(after).toMatchObject({ expires_at: null, rotation_policy: null, scopes: ['logs.list'], name: 'new' });
    expect(await world.keys.get(world.admin, id)).toEqual(after);
  });

  it('is refused with all problems at once', async () => {
    await using world = await keyWorld();
    const { id } = await made(world, { kind: 'workspace-user', user_id: 'ada' });
    const body = {
      ...{ name: '', scopes: ['x', 'keys.create'], expires_at: 1, rotation_policy: {} },
      defaults: { config_id: 'unsaved', metadata: { _user: 'bob' } },
    };
    expect(await refusal(world.keys.update(world.admin, id, body))).toEqual([
      ...['invalid-input', '/name', '/scopes/0', '/scopes/1', '/defaults/metadata/_user', '/defaults/config_id'],
      ...['/expires_at', '/rotation_policy'],
    ]);
  });

  it('cannot add a scope that neither the key nor the caller has', async () => {
    await using world = await keyWorld();
    const { caller } = await made(world, { scopes: ['keys.update', 'logs.list'] });
    const { id } = await made(world, { scopes: ['completions.write', 'logs.export'] });
    const changed = async (scopes: readonly string[]) => refusal(world.keys.update(caller, id, { scopes }));
    expect(await changed(['completions.write', 'logs.list'])).toEqual(['ok']);
    expect(await changed(['completions.write', 'logs.export'])).toEqual(['forbidden', '/scopes/1']);
  });
});

describe('rotation', () => {
  it('returns a new key and keeps the previous one valid for the transition period', async () => {
    await using world = await keyWorld();
    const { id, key } = await made(world, { rotation_policy: { rotation_period: 'monthly' } });
    world.time.now += hour;
    const rotated = await world.keys.rotate(world.admin, id, { key_transition_period_ms: 2 * hour });
    expect(rotated).toEqual({
      ...{ id, object: 'api-key', key: expect.not.stringMatching(key) },
      key_transition_expires_at: inSeconds(startTime + 3 * hour),
    });
    expect(parseKeyText(rotated.key)?.id).toBe(id);
    expect((await world.readCaller(key)).keyId).toBe(id);
    expect((await world.readCaller(rotated.key)).keyId).toBe(id);
    // A month after the last day of January is the last day of February.
    expect(await world.keys.get(world.admin, id)).toMatchObject({
      key: `gw-…${parseKeyText(rotated.key)?.secret.slice(-4)}`,
      rotation_policy: { rotation_period: 'monthly', next_rotation_at: inSeconds(Date.UTC(2026, 1, 28, 1)) },
      key_transition_expires_at: rotated.key_transition_expires_at,
    });
  });

  it('has a transition period of half an hour by default, and ends a policy without a period', async () => {
    await using world = await keyWorld();
    const { id } = await made(world, { rotation_policy: { next_rotation_at: inSeconds(startTime) + 60 } });
    expect((await world.keys.rotate(world.admin, id)).key_transition_expires_at).toBe(inSeconds(startTime + hour / 2));
    expect((await world.keys.get(world.admin, id)).rotation_policy).toBeNull();
  });

  it.each([1_799_999, 0, 1_800_000.5, 31_536_000_001])('cannot have a transition period of %d ms', async (ms) => {
    await using world = await keyWorld();
    const { id } = await made(world, {});
    expect(await refusal(world.keys.rotate(world.admin, id, { key_transition_period_ms: ms }))).toEqual([
      'invalid-input',
      '/key_transition_period_ms',
    ]);
  });

  it('requires all scopes of the key, because the caller receives the new key', async () => {
    await using world = await keyWorld();
    const { caller } = await made(world, { scopes: ['keys.rotate', 'logs.list'] });
    const { id } = await made(world, { scopes: ['logs.list', 'logs.export'] });
    expect(await refusal(world.keys.rotate(caller, id))).toEqual(['forbidden', '']);
    expect(await refusal(world.keys.rotate(caller, caller.keyId))).toEqual(['ok']);
  });

  it('is refused for an expired key', async () => {
    await using world = await keyWorld();
    const { id } = await made(world, { expires_at: inSeconds(startTime) + 60 });
    world.time.now += 60_000;
    expect(await refusal(world.keys.rotate(world.admin, id))).toEqual(['invalid-input', '']);
  });
});

describe('a revoked key', () => {
  it('stays revoked and can be neither changed nor rotated', async () => {
    await using world = await keyWorld();
    const { id } = await made(world, {});
    const revoked = await world.keys.revoke(world.admin, id);
    expect(revoked.status).toBe('revoked');
    const { keys } = await world.store.versions();
    expect(await world.keys.revoke(world.admin, id)).toEqual(revoked);
    expect(await refusal(world.keys.update(world.admin, id, { name: 'new' }))).toEqual(['invalid-input', '']);
    expect(await refusal(world.keys.rotate(world.admin, id))).toEqual(['invalid-input', '']);
    expect((await world.store.versions()).keys).toBe(keys);
  });
});

it('is rotated, changed or revoked only if it meets the precondition', async () => {
  await using world = await keyWorld();
  const { id } = await made(world, {});
  const other = new Set(['"other"']);
  expect(await refusal(world.keys.rotate(world.admin, id, {}, other))).toEqual(['precondition-failed']);
  expect(await refusal(world.keys.update(world.admin, id, { name: 'new' }, other))).toEqual(['precondition-failed']);
  expect(await refusal(world.keys.revoke(world.admin, id, other))).toEqual(['precondition-failed']);
  expect(await world.keys.get(world.admin, id)).toMatchObject({ name: 'backend', status: 'active' });
});

it('each change of a key has a later time than the change before, even if the clock goes back', async () => {
  await using world = await keyWorld();
  const { id } = await made(world, {});
  const times: number[] = [];
  for (const now of [startTime + 10, startTime + 5, startTime - hour, startTime + 10]) {
    world.time.now = now;
    await world.keys.update(world.admin, id, { name: `at ${now}` });
    const row = await world.store.db.selectFrom('keys').select('updated_at').where('id', '=', id).executeTakeFirst();
    times.push(row?.updated_at ?? 0);
  }
  expect(times).toEqual([startTime + 10, startTime + 11, startTime + 12, startTime + 13]);
});
