import { expect, it } from 'vitest';
import { savedWorld } from '../../support/saved-world.ts';

const secret = 'a-token-nobody-may-see';
const words = { id: 'contains', parameters: { words: ['password'], operator: 'none' } };
const asks = { id: 'acme.ask', parameters: { host: 'a.example', token: secret } };

const toProblems = (answer: {
  status: number;
  body: { error?: { errors?: { pointer: string; code?: string }[] } };
}) => [
  answer.status,
  ...(answer.body.error?.errors ?? []).map(({ pointer, code }) =>
    code === undefined ? pointer : `${pointer} ${code}`,
  ),
];

it('saves a guardrail that configs can name, with its secrets sealed', async () => {
  await using world = await savedWorld();
  const actions = { deny: true, sequential: true, on_fail: { feedback: { value: -5, weight: 1 } } };
  const made = await world.ask('/guardrails', { json: { name: 'No words', checks: [words, asks, words], actions } });
  expect(made).toMatchObject({ status: 200, body: { object: 'guardrail' } });
  const { id, slug } = made.body;
  expect(slug).toMatch(/^pg-no-words-[0-9a-f]{6}$/);
  const read = await world.ask(`/guardrails/${slug}`);
  const sealed = { host: 'a.example', token: 'gw-sealed:/1/parameters/token' };
  expect(read).toMatchObject({
    status: 200,
    body: { id, slug, scope: 'workspace', checks: [words, { id: 'acme.ask', parameters: sealed }, words], actions },
  });
  expect(await world.stored()).not.toContain(secret);
  expect((await world.ask('/guardrails')).body).toMatchObject({ total: 1, data: [{ id, name: 'No words' }] });

  const view = await world.readView(world.admin.tenant);
  const config = JSON.stringify({ provider: 'echo', input_guardrails: [slug] });
  const { plan, secrets, diagnostics } = await world.parts.compile(config, {
    tenant: 'x',
    saved: view.saved,
    name: 'x',
  });
  expect(diagnostics).toEqual([]);
  const [stage] = plan?.root.kind === 'leaf' ? plan.root.stages : [];
  expect(stage).toMatchObject({
    kind: 'input-checks',
    hooks: [
      {
        sequential: true,
        checks: [{ check: 'default.contains' }, { check: 'acme.ask' }, { check: 'default.contains' }],
      },
    ],
  });
  const references = JSON.stringify(plan).match(/\$\{saved:[^}]*\}/g) ?? [];
  expect([...secrets, ...references.map((ref) => view.secrets(ref as never))]).toContain(secret);
});

it('reports the problems of a guardrail at the pointers of its checks', async () => {
  await using world = await savedWorld();
  const post = async (checks: readonly object[], more: object = {}) =>
    toProblems(await world.ask('/guardrails', { json: { name: 'a', checks, ...more } }));
  expect(
    await post([
      words,
      { id: 'nope', parameters: {} },
      { id: 'contains', parameters: { words: 'a', operator: 'some' } },
    ]),
  ).toEqual([
    400,
    '/checks/1/id unknown-check',
    expect.stringContaining('/checks/2/parameters/'),
    expect.stringContaining('/checks/2/parameters/'),
  ]);
  expect(await post([{ ...words, parameters: { ...words.parameters, id: 'mine' } }])).toEqual([
    400,
    '/checks/0/parameters/id',
  ]);
  expect(await post([])).toEqual([400, '/checks']);
  expect(await post([words], { actions: { denied: true } })).toEqual([400, '/actions/denied unknown-key']);
  expect(await post([{ id: 'acme.ask', parameters: { token: '$'.concat('{env:HOME}') } }])).toEqual([
    400,
    '/checks/0/parameters/token reference-not-allowed',
  ]);
  expect(await post([{ id: 'acme.ask', parameters: { token: 'gw-sealed:/0/parameters/token' } }])).toEqual([
    400,
    '/checks/0/parameters/token',
  ]);
  expect(await post([{ id: 'acme.answers' }])).toEqual([200]);
  expect((await world.ask('/guardrails')).body.total).toBe(1);
});

it('keeps a secret only if its check and the position of the check are unchanged', async () => {
  await using world = await savedWorld();
  const { slug } = (await world.ask('/guardrails', { json: { name: 'a', checks: [asks] } })).body;
  const { checks } = (await world.ask(`/guardrails/${slug}`)).body;
  const put = async (json: object) => toProblems(await world.ask(`/guardrails/${slug}`, { method: 'PUT', json }));
  const [stored] = checks;
  const elsewhere = { ...stored, parameters: { ...stored.parameters, host: 'evil.example' } };
  expect(await put({ checks: [elsewhere] })).toEqual([400, '/checks/0/parameters/token']);
  expect(await put({ checks: [words, stored] })).toEqual([400, '/checks/1/parameters/token']);
  expect(await put({ checks: [stored, words], actions: { deny: true } })).toEqual([200]);
  expect(await put({ name: 'b' })).toEqual([200]);
  const read = await world.ask(`/guardrails/${slug}`);
  expect(read.body).toMatchObject({ name: 'b', checks: [stored, words], actions: { deny: true } });
  const { sealer, store } = world.parts;
  const row = await store.db.selectFrom('guardrails').selectAll().executeTakeFirstOrThrow();
  const place = '/0/parameters/token';
  const at = { tenant: world.admin.tenant, table: 'guardrails', id: row.id, field: `checks${place}` };
  expect(JSON.parse(await sealer.open(JSON.parse(row.sealed)[place], at))).toBe(secret);
});

it('does not delete a guardrail while a config or default settings name it', async () => {
  await using world = await savedWorld();
  const make = async (slug: string, more: object = {}) =>
    world.ask('/guardrails', { json: { name: slug, slug, checks: [words], ...more } });
  await make('named');
  await make('over_laid');
  await make('unused');
  const nested = {
    strategy: { mode: 'fallback' },
    targets: [{ provider: 'echo', output_guardrails: ['named'] }, { provider: 'echo' }],
  };
  const laid = {
    provider: 'echo',
    before_request_hooks: [{ id: 'over_laid', on_fail: { deny: true } }],
    request_timeout: 1,
  };
  await world.ask('/configs', { json: { name: 'a', slug: 'nested', config: nested } });
  await world.ask('/configs', { json: { name: 'a', slug: 'laid', config: laid } });
  const own = { provider: 'echo', input_guardrails: [{ id: 'unused', contains: words.parameters }] };
  expect((await world.ask('/configs', { json: { name: 'a', slug: 'own', config: own } })).status).toBe(200);
  const remove = async (slug: string) => {
    const { status, body } = await world.ask(`/guardrails/${slug}`, { method: 'DELETE' });
    return [status, body.error?.message ?? ''];
  };
  expect(await remove('named')).toEqual([409, expect.stringContaining('the config "nested"')]);
  expect(await remove('over_laid')).toEqual([409, expect.stringContaining('the config "laid"')]);
  expect(await remove('unused')).toEqual([200, '']);
  expect((await world.ask('/configs/nested', { method: 'PUT', json: { config: { provider: 'echo' } } })).status).toBe(
    200,
  );
  expect(await remove('named')).toEqual([200, '']);
  await make('common', { scope: 'organisation' });
  await make('own');
  await world.store.write(async (writing) => {
    await writing.updateTable('workspaces').set({ settings: '{"input_guardrails":["common"]}' }).execute();
  });
  expect(await remove('common')).toEqual([409, expect.stringContaining('the defaults of the workspace')]);
  const { id } = (await world.ask('/guardrails/common')).body;
  for (const table of ['workspaces', 'organisations'] as const) {
    await world.store.write(async (writing) => {
      await writing.updateTable('workspaces').set({ settings: '{}' }).execute();
      await writing
        .updateTable(table)
        .set({ settings: `{"output_guardrails":["${id}","own"]}` })
        .execute();
    });
    expect((await remove('common'))[0]).toBe(409);
    // Names in the settings of an organisation never refer to the guardrails of a workspace.
    expect((await remove('own'))[0]).toBe(table === 'organisations' ? 200 : 409);
  }
});

it('lets all workspaces name a guardrail of the organisation, but only organisation keys change it', async () => {
  await using world = await savedWorld();
  const other = await world.newWorkspace('other');
  const json = { name: 'a', slug: 'common', checks: [asks], scope: 'organisation' };
  expect(toProblems(await world.ask('/guardrails', { key: other.key, json }))).toEqual([403, '/scope']);
  expect((await world.ask('/guardrails', { json })).status).toBe(200);
  expect((await world.ask('/guardrails/common', { key: other.key })).body).toMatchObject({
    scope: 'organisation',
    workspace_id: null,
  });
  const config = { provider: 'echo', input_guardrails: ['common'] };
  expect((await world.ask('/configs', { key: other.key, json: { name: 'c', slug: 'c', config } })).status).toBe(200);
  const remove = async (key?: string) =>
    (await world.ask('/guardrails/common', { method: 'DELETE', ...(key === undefined ? {} : { key }) })).status;
  expect(await remove(other.key)).toBe(403);
  expect((await world.ask('/guardrails/common', { method: 'PUT', key: other.key, json: { name: 'b' } })).status).toBe(
    403,
  );
  expect(await remove()).toBe(409);
  await world.ask('/configs/c', { method: 'DELETE', key: other.key });
  expect(await remove()).toBe(200);
});

it('requires slugs that are unique in a workspace, its organisation and the gateway file', async () => {
  await using world = await savedWorld();
  const other = await world.newWorkspace('other');
  const post = async (slug: string, more: object = {}, key = world.adminKey) =>
    (await world.ask('/guardrails', { key, json: { name: 'a', slug, checks: [words], ...more } })).status;
  expect(await post('of-the-file')).toBe(409);
  expect(await post('mine')).toBe(200);
  expect(await post('mine')).toBe(409);
  expect(await post('mine', {}, other.key)).toBe(200);
  expect(await post('mine', { scope: 'organisation' })).toBe(409);
  expect(await post('common', { scope: 'organisation' })).toBe(200);
  expect(await post('common', {}, other.key)).toBe(409);
  const { id } = (await world.ask('/guardrails/mine')).body;
  for (const method of ['GET', 'DELETE'])
    expect((await world.ask(`/guardrails/${id}`, { method, key: other.key })).status).toBe(404);
  expect((await world.ask('/guardrails', { key: other.key })).body.total).toBe(2);
});
