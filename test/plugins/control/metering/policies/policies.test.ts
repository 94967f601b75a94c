import { describe, expect, it } from 'vitest';
import { policies } from '../../../../../plugins/control/cli/resources/policies.ts';
import { PolicyService } from '../../../../../plugins/control/metering/policies/policy-service.ts';
import { validateUsage } from '../../../../../plugins/control/metering/policies/validate-policy.ts';
import { startTime } from '../../support/key-world.ts';
import { type PolicyWorld, policyWorld, rate, toProblems, usage } from './support.ts';

const usages = '/policies/usage-limits';
const rates = '/policies/rate-limits';
const made = '2026-01-31T00:00:00.000Z';

const makeUsage = async (world: PolicyWorld, more: object = {}): Promise<string> =>
  (await world.ask(usages, { json: { ...usage, ...more } })).body.id;

const makeRate = async (world: PolicyWorld, more: object = {}): Promise<string> =>
  (await world.ask(rates, { json: { ...rate, ...more } })).body.id;

const toIds = ({ body }: { body: { data: { id: string }[] } }) => body.data.map(({ id }) => id);

describe('a policy', () => {
  it('of either kind is shown as it was created', async () => {
    await using world = await policyWorld();
    const created = await world.ask(usages, { json: { ...usage, credit_limit: 0.1, name: 'Team' } });
    expect(created).toEqual({ status: 200, body: { id: expect.any(String), object: 'policy_usage_limits' } });
    const row = await world.store.db.selectFrom('policies').selectAll().executeTakeFirstOrThrow();
    expect(row.amount).toBe(100_000_000);
    const place = { workspace_id: world.admin.tenant, organisation_id: world.admin.organisation };
    const times = { created_at: made, last_updated_at: made };
    expect((await world.ask(`${usages}/${created.body.id}`)).body).toEqual({
      ...{ ...usage, object: 'policy_usage_limits', id: created.body.id, name: 'Team', credit_limit: 0.1 },
      ...{ alert_threshold: null, periodic_reset: null, periodic_reset_days: null },
      ...{ last_reset_at: null, next_usage_reset_at: null, if_unknown: 'allow', status: 'active', ...place, ...times },
    });
    const limited = await world.ask(rates, { json: { ...rate, if_unknown: 'refuse' } });
    expect(limited).toEqual({
      status: 200,
      body: { id: expect.any(String), object: 'policy_rate_limits', diagnostics: expect.any(Array) },
    });
    expect((await world.ask(`${rates}/${limited.body.id}`)).body).toEqual({
      ...{ ...rate, object: 'policy_rate_limits', id: limited.body.id, name: null },
      ...{ if_unknown: 'refuse', status: 'active', ...place, ...times },
    });
    expect(toProblems(await world.ask(`${rates}/${created.body.id}`))).toEqual([404]);
    expect(toProblems(await world.ask(`${usages}/not-a-uuid`))).toEqual([400, '/id']);
    expect((await world.ask(`${usages}/${created.body.id.toUpperCase()}`)).status).toBe(200);
  });

  it('can be created from the example in the help of its command', async () => {
    await using world = await policyWorld();
    for (const [name, route] of Object.entries({ usage: usages, rate: rates })) {
      const { create } = policies.parts?.[name]?.commands ?? {};
      const body = JSON.parse(create?.file?.example ?? '{}');
      expect(toProblems(await world.ask(route, { json: body })), name).toEqual([200]);
    }
  });

  it('accepts every value of the specification, and no others', async () => {
    await using world = await policyWorld();
    const post = async (path: string, json: object) => toProblems(await world.ask(path, { json }));
    const ofUsage = (more: object) => post(usages, { ...usage, ...more });
    const ofRate = (more: object) => post(rates, { ...rate, ...more });
    const many = (length: number, item: object | string) => Array.from({ length }, () => item);
    const fine: readonly (readonly [(more: object) => Promise<unknown>, object])[] = [
      [ofUsage, { type: 'tokens' }],
      [ofUsage, { credit_limit: 0 }],
      [ofUsage, { credit_limit: 0.000_000_001 }],
      [ofUsage, { credit_limit: 9_007_199.254_740_99 }],
      [ofUsage, { credit_limit: 1, alert_threshold: 0 }],
      [ofUsage, { credit_limit: 1, alert_threshold: 0.999_999_999 }],
      [ofUsage, { alert_threshold: null, periodic_reset: null, periodic_reset_days: null, name: null }],
      [ofUsage, { periodic_reset: 'monthly' }],
      [ofUsage, { periodic_reset: 'weekly', periodic_reset_days: null }],
      [ofUsage, { periodic_reset_days: 1 }],
      [ofUsage, { periodic_reset_days: 365 }],
      [ofUsage, { name: '' }],
      [ofUsage, { name: '🎉'.repeat(255) }],
      [ofUsage, { if_unknown: 'refuse' }],
      [ofUsage, { workspace_id: 'default', organisation_id: world.admin.organisation }],
      [ofUsage, { workspace_id: world.admin.tenant }],
      [ofUsage, { conditions: [{ key: 'model', value: ['*', 'gpt-*', '*-mini', '*o*'], excludes: '@main/*' }] }],
      [ofUsage, { conditions: [{ key: 'metadata._user', value: '*', excludes: ['ann', 'bob'] }] }],
      [ofRate, { type: 'tokens', unit: 'rph' }],
      [ofRate, { unit: 'rpd', value: 0 }],
      [ofRate, { value: Number.MAX_SAFE_INTEGER }],
      ...['api_key', 'virtual_key', 'provider', 'config', 'prompt', 'model', 'endpoint_type'].map(
        (key) => [ofRate, { conditions: [{ key, value: 'x' }], group_by: [{ key }] }] as const,
      ),
      [ofUsage, { group_by: [{ key: 'workspace_id' }, { key: 'organisation_id' }, { key: 'metadata.a b' }] }],
      [
        ofUsage,
        {
          conditions: [
            { key: 'workspace_id', value: 'default' },
            { key: 'organisation_id', value: world.admin.organisation },
          ],
        },
      ],
    ];
    for (const [ask, more] of fine) expect(await ask(more), JSON.stringify(more)).toEqual([200]);

    const wrong: readonly (readonly [(more: object) => Promise<unknown>, object, string])[] = [
      [ofUsage, { type: 'requests' }, '/type'],
      [ofUsage, { type: undefined }, ''],
      [ofUsage, { credit_limit: -1 }, '/credit_limit'],
      [ofUsage, { credit_limit: '1' }, '/credit_limit'],
      [ofUsage, { credit_limit: null }, '/credit_limit'],
      [ofUsage, { credit_limit: undefined }, ''],
      [ofUsage, { credit_limit: 1e-10 }, '/credit_limit'],
      [ofUsage, { credit_limit: 9_007_199.254_740_993 }, '/credit_limit'],
      [ofUsage, { credit_limit: 1e300 }, '/credit_limit'],
      [ofUsage, { type: 'tokens', credit_limit: 1.5 }, '/credit_limit'],
      [ofUsage, { type: 'tokens', credit_limit: 2 ** 53 }, '/credit_limit'],
      [ofUsage, { credit_limit: 1, alert_threshold: 1 }, '/alert_threshold'],
      [ofUsage, { credit_limit: 0, alert_threshold: 0 }, '/alert_threshold'],
      [ofUsage, { alert_threshold: -1 }, '/alert_threshold'],
      [ofUsage, { type: 'tokens', alert_threshold: 0.5 }, '/alert_threshold'],
      [ofUsage, { periodic_reset: 'daily' }, '/periodic_reset'],
      [ofUsage, { periodic_reset_days: 0 }, '/periodic_reset_days'],
      [ofUsage, { periodic_reset_days: 366 }, '/periodic_reset_days'],
      [ofUsage, { periodic_reset_days: 1.5 }, '/periodic_reset_days'],
      [ofUsage, { periodic_reset: 'weekly', periodic_reset_days: 7 }, '/periodic_reset_days'],
      [ofUsage, { name: 'x'.repeat(256) }, '/name'],
      [ofUsage, { name: 'a\u0000' }, '/name'],
      [ofUsage, { if_unknown: 'deny' }, '/if_unknown'],
      [ofUsage, { conditions: [] }, '/conditions'],
      [ofUsage, { conditions: undefined }, ''],
      [ofUsage, { group_by: [] }, '/group_by'],
      [ofUsage, { group_by: undefined }, ''],
      [ofUsage, { group_by: [{ key: 'model' }, { key: 'model' }] }, '/group_by/1/key'],
      [ofUsage, { group_by: [{ key: 'user' }] }, '/group_by/0/key'],
      [ofUsage, { group_by: [{ key: 'model', value: 'x' }] }, '/group_by/0/value'],
      [ofUsage, { conditions: [{ key: 'model' }] }, '/conditions/0'],
      [ofUsage, { conditions: [{ key: 'model', value: [] }] }, '/conditions/0/value'],
      [ofUsage, { conditions: [{ key: 'model', value: '' }] }, '/conditions/0/value'],
      [ofUsage, { conditions: [{ key: 'model', value: 'a*b' }] }, '/conditions/0/value'],
      [ofUsage, { conditions: [{ key: 'model', value: ['a', '**'] }] }, '/conditions/0/value/1'],
      [ofUsage, { conditions: [{ key: 'model', value: 'a', excludes: 'a*b' }] }, '/conditions/0/excludes'],
      [ofUsage, { conditions: [{ key: 'modle', value: 'a' }] }, '/conditions/0/key'],
      [ofUsage, { conditions: [{ key: 'metadata.', value: 'a' }] }, '/conditions/0/key'],
      [ofUsage, { conditions: [{ key: 'model', value: 'a', values: 'b' }] }, '/conditions/0/values'],
      [ofUsage, { conditions: many(101, { key: 'model', value: 'a' }) }, '/conditions'],
      [ofUsage, { next_usage_reset_at: 1 }, '/next_usage_reset_at'],
      [ofUsage, { workspace: 'default' }, '/workspace'],
      [ofUsage, { organisation_id: 'mine' }, '/organisation_id'],
      [ofRate, { type: 'cost' }, '/type'],
      [ofRate, { unit: 'rps' }, '/unit'],
      [ofRate, { unit: undefined }, ''],
      [ofRate, { value: -1 }, '/value'],
      [ofRate, { value: 0.5 }, '/value'],
      [ofRate, { value: 2 ** 53 }, '/value'],
      [ofRate, { value: undefined }, ''],
      [ofRate, { periodic_reset: 'weekly' }, '/periodic_reset'],
      [ofRate, { name: 'x'.repeat(256) }, '/name'],
      [ofRate, { conditions: [] }, '/conditions'],
      [ofRate, { group_by: [] }, '/group_by'],
    ];
    for (const [ask, more, place] of wrong) {
      const [status, ...places] = (await ask(more)) as [number, ...string[]];
      expect(status, JSON.stringify(more)).toBe(400);
      expect(new Set(places).has(place), `${JSON.stringify(more)}: ${places.join()}`).toBe(true);
    }
    const { body } = await world.ask(usages, { json: { ...usage, group_by: [{ key: 'user' }] } });
    const keys = 'api_key, virtual_key, provider, config, prompt, model, endpoint_type, workspace_id, organisation_id';
    expect(body.error.errors[0].hint).toContain(`The keys are ${keys}, or metadata.NAME for a label.`);
    const large = await world.ask(usages, { json: { ...usage, credit_limit: 1e300 } });
    expect(large.body.error.errors[0]).toMatchObject({
      message: '1e+300 US dollars are more than can be counted exactly.',
      hint: 'Write at most 9007199.25474099.',
    });
  });

  it('has the ids that requests have in its conditions, however they were written', async () => {
    await using world = await policyWorld();
    const { tenant = '', organisation = '' } = world.admin;
    const key = '0199f0aa-0000-7000-8000-00000000000a';
    const written = [
      { key: 'workspace_id', value: ['DEFAULT', tenant.toUpperCase(), 'other'], excludes: 'other-*' },
      { key: 'organisation_id', value: organisation.toUpperCase() },
      { key: 'api_key', value: '*', excludes: [key.toUpperCase(), 'x'] },
      { key: 'config', value: key.toUpperCase() },
      { key: 'model', value: 'GPT' },
    ];
    const conditions = [
      { key: 'workspace_id', value: [tenant, tenant, 'other'], excludes: 'other-*' },
      { key: 'organisation_id', value: organisation },
      { key: 'api_key', value: '*', excludes: [key, 'x'] },
      { key: 'config', value: key },
      { key: 'model', value: 'GPT' },
    ];
    const read = async (id: string) => (await world.ask(`${usages}/${id}`)).body.conditions;
    expect(await read(await makeUsage(world, { conditions: written }))).toEqual(conditions);
    const id = await makeUsage(world);
    expect((await world.ask(`${usages}/${id}`, { method: 'PUT', json: { conditions: written } })).status).toBe(200);
    expect(await read(id)).toEqual(conditions);
  });

  it('is refused if it names only another workspace or organisation, whose requests it never covers', async () => {
    await using world = await policyWorld();
    const other = await world.newWorkspace('other');
    const id = await makeUsage(world);
    const place = '/conditions/1/value';
    for (const value of ['other', other.id, 'unknown', ['other', 'unknown'], 'def*']) {
      for (const about of ['workspace_id', 'organisation_id']) {
        const json = { ...usage, conditions: [...usage.conditions, { key: about, value }] };
        expect(toProblems(await world.ask(usages, { json })), String(value)).toEqual([400, place]);
        const changed = { method: 'PUT', json: { conditions: json.conditions } };
        for (const query of ['', '?dry_run=true'])
          expect(toProblems(await world.ask(`${usages}/${id}${query}`, changed))).toEqual([400, place]);
      }
    }
    const json = { ...usage, conditions: [{ key: 'workspace_id', value: 'other' }] };
    const [error] = (await world.ask(usages, { json })).body.error.errors;
    expect(error).toMatchObject({
      message: `The policy covers only requests whose workspace_id is "${world.admin.tenant}".`,
      hint: 'Omit the condition, or create the policy in the other workspace, with the member workspace_id.',
    });
    expect(toProblems(await world.ask(usages, { json: { ...json, workspace_id: 'other' } }))).toEqual([200]);
  });

  it('can be changed, and keeps members that are absent from the change', async () => {
    await using world = await policyWorld();
    const id = await makeUsage(world, { alert_threshold: 5, periodic_reset: 'weekly', name: 'Team' });
    const put = async (json: object) => toProblems(await world.ask(`${usages}/${id}`, { method: 'PUT', json }));
    const read = async () => (await world.ask(`${usages}/${id}`)).body;
    world.time.now += 1000;
    expect(await world.ask(`${usages}/${id}`, { method: 'PUT', json: { credit_limit: 20 } })).toEqual({
      status: 200,
      body: {},
    });
    expect(await read()).toMatchObject({
      ...{ name: 'Team', credit_limit: 20, alert_threshold: 5, periodic_reset: 'weekly' },
      ...{ created_at: made, last_updated_at: '2026-01-31T00:00:01.000Z' },
    });
    expect(await put({ credit_limit: 5 })).toEqual([400, '/alert_threshold']);
    expect(await put({ alert_threshold: null, name: null, if_unknown: 'refuse' })).toEqual([200]);
    expect(await read()).toMatchObject({ alert_threshold: null, name: null, if_unknown: 'refuse' });
    expect(await put({ periodic_reset_days: 10 })).toEqual([200]);
    const days = { periodic_reset: null, periodic_reset_days: 10, next_usage_reset_at: '2026-02-10T00:00:01.000Z' };
    expect(await read()).toMatchObject(days);
    world.time.now += 86_400_000;
    expect(await put({ credit_limit: 30 })).toEqual([200]);
    expect(await read()).toMatchObject(days);
    expect(await put({ periodic_reset: 'monthly' })).toEqual([200]);
    expect(await read()).toMatchObject({
      ...{ periodic_reset: 'monthly', periodic_reset_days: null },
      ...{ last_reset_at: '2026-02-01T00:00:00.000Z', next_usage_reset_at: '2026-03-01T00:00:00.000Z' },
    });
    expect(await put({ periodic_reset: null })).toEqual([200]);
    expect(await read()).toMatchObject({ periodic_reset: null, last_reset_at: null, next_usage_reset_at: null });
    expect(await put({ conditions: [{ key: 'model', value: 'm' }] })).toEqual([200]);
    expect((await read()).conditions).toEqual([{ key: 'model', value: 'm' }]);
    expect(await put({ conditions: [{ key: 'modle', value: 'm' }] })).toEqual([400, '/conditions/0/key']);
    const fixed = { type: 'tokens', group_by: usage.group_by, workspace_id: 'default' };
    expect(await put(fixed)).toEqual([400, '/type', '/group_by', '/workspace_id']);
    const [error] = (await world.ask(`${usages}/${id}`, { method: 'PUT', json: { type: 'tokens' } })).body.error.errors;
    expect(error.hint).toContain('Use one of name, conditions, credit_limit');

    const limited = await makeRate(world);
    const change = async (json: object) => toProblems(await world.ask(`${rates}/${limited}`, { method: 'PUT', json }));
    expect(await change({ name: 'Slow', unit: 'rpd', value: 0 })).toEqual([200]);
    expect((await world.ask(`${rates}/${limited}`)).body).toMatchObject({ name: 'Slow', unit: 'rpd', value: 0 });
    expect(await change({ value: 1.5 })).toEqual([400, '/value']);
    expect(await change({ conditions: rate.conditions, type: 'tokens' })).toEqual([400, '/conditions', '/type']);
  });

  it('is archived by a DELETE request, and then found only as archived', async () => {
    await using world = await policyWorld();
    const [gone, stays] = [await makeUsage(world), await makeUsage(world)];
    expect(await world.ask(`${usages}/${gone}`, { method: 'DELETE' })).toEqual({ status: 200, body: {} });
    const statuses = async (query: string) => (await world.ask(`${usages}/${gone}${query}`)).status;
    expect(await Promise.all(['', '?status=active', '?status=archived', '?status=x'].map(statuses))).toEqual([
      404, 404, 200, 400,
    ]);
    expect((await world.ask(`${usages}/${gone}?status=archived`)).body.status).toBe('archived');
    expect(toIds(await world.ask(usages))).toEqual([stays]);
    expect(toIds(await world.ask(`${usages}?status=archived`))).toEqual([gone]);
    for (const asked of [{ method: 'DELETE' }, { method: 'PUT', json: {} }])
      expect((await world.ask(`${usages}/${gone}`, asked)).status).toBe(404);
    expect((await world.ask(`${usages}/${gone}/entities/${gone}/reset`, { method: 'PUT' })).status).toBe(404);
    expect((await world.ask(`${usages}/${gone}/entities`)).status).toBe(404);
    expect((await world.ask(`${usages}/${gone}/entities?status=archived`)).body.total).toBe(0);
  });
});

describe('a list of policies', () => {
  it('supports the pages and filters of the specification', async () => {
    await using world = await policyWorld();
    const kinds = [
      { type: 'requests', unit: 'rpm' },
      { type: 'requests', unit: 'rph' },
      { type: 'tokens', unit: 'rpd' },
    ];
    const ids: string[] = [];
    for (const kind of kinds) ids.unshift(await makeRate(world, kind));
    await makeUsage(world);
    const list = (query: string) => world.ask(`${rates}${query}`);
    expect((await list('')).body).toMatchObject({ object: 'list', total: 3, data: ids.map((id) => ({ id })) });
    expect((await list('?page_size=0')).body).toEqual({ object: 'list', total: 3, data: [] });
    expect((await list('?page_size=2&current_page=1')).body).toMatchObject({ total: 3, data: [{ id: ids[2] }] });
    expect((await list('?page_size=1000000000&current_page=1000000000')).body).toEqual({
      ...{ object: 'list', total: 3, data: [] },
    });
    expect(toIds(await list('?type=tokens'))).toEqual([ids[0]]);
    expect(toIds(await list('?type=requests&unit=rph'))).toEqual([ids[1]]);
    expect((await list('?workspace_id=default&status=active')).body.total).toBe(3);
    expect((await list(`?workspace_id=${world.admin.tenant}`)).body.total).toBe(3);
    expect((await list('?workspace_id=nobody')).body).toMatchObject({ total: 0, data: [] });
    expect((await world.ask(`${usages}?type=cost`)).body.total).toBe(1);
    expect((await world.ask(`${usages}?type=tokens`)).body.total).toBe(0);
    for (const query of ['?page_size=-1', '?current_page=-1', '?page_size=1.5', '?type=cost', '?unit=rps', '?status=x'])
      expect((await list(query)).status, query).toBe(400);
    expect((await world.ask(`${usages}?unit=rpm`)).status).toBe(400);
  });
});

describe('the usage of a policy', () => {
  const toBucket = (values: readonly string[] | undefined, used: number, threshold = false) => ({
    ...{ bucket: values === undefined ? '*' : JSON.stringify(values), used, notified: { threshold, exhausted: false } },
    ...(values !== undefined && { values }),
  });

  it('can be shown by value, searched, paged and reset', async () => {
    await using world = await policyWorld();
    const group_by = [{ key: 'metadata._user' }, { key: 'model' }];
    const id = await makeUsage(world, { credit_limit: 2, group_by });
    const entities = (query = '') => world.ask(`${usages}/${id}/entities${query}`);
    expect((await entities()).body).toEqual({ object: 'list', total: 0, data: [] });
    world.counters.buckets.set(id, [
      toBucket(['bob', 'gpt'], 500_000_000, true),
      toBucket(['ann,\\', 'gpt'], 2_000_000_000),
      toBucket(undefined, 1),
    ]);
    const listed = (await entities()).body;
    const most = { limit: 2, unit: 'usd' };
    expect(listed).toEqual({
      ...{ object: 'list', total: 3 },
      data: [
        { id: expect.any(String), value_key: '*', current_usage: 1e-9, ...most },
        { id: expect.any(String), value_key: 'metadata._user:ann\\,\\\\,model:gpt', current_usage: 2, ...most },
        { id: expect.any(String), value_key: 'metadata._user:bob,model:gpt', current_usage: 0.5, ...most },
      ],
    });
    for (const { id: each } of listed.data) expect(each).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect((await entities('?search=BOB')).body.data).toEqual([listed.data[2]]);
    expect((await entities('?page_size=1&current_page=1')).body).toEqual({ ...listed, data: [listed.data[1]] });
    for (const query of ['?page_size=0', '?page_size=101', '?current_page=-1', '?search=', '?status=x'])
      expect((await entities(query)).status, query).toBe(query === '?search=' ? 200 : 400);

    const plain = (await world.ask(`${usages}/${id}`)).body;
    expect(plain.value_key_usage_map).toBeUndefined();
    const map = {
      'metadata._user:bob,model:gpt': {
        ...{ current_usage: 0.5, status: 'active', is_threshold_alerts_sent: true, is_exhausted_alerts_sent: false },
      },
      'metadata._user:ann\\,\\\\,model:gpt': { current_usage: 2, status: 'exhausted' },
      '*': { current_usage: 1e-9, status: 'active' },
    };
    expect((await world.ask(`${usages}/${id}?include_usage=true`)).body.value_key_usage_map).toMatchObject(map);
    expect((await world.ask(`${usages}?include_usage=true`)).body.data[0].value_key_usage_map).toMatchObject(map);

    const reset = (entity: string) => world.ask(`${usages}/${id}/entities/${entity}/reset`, { method: 'PUT' });
    expect(await reset(listed.data[1].id)).toEqual({ status: 200, body: {} });
    // The usage of a counter that does not exist is zero.
    expect((await reset(listed.data[1].id)).status).toBe(200);
    expect((await reset('nobody')).status).toBe(400);
    expect((await entities()).body.data).toEqual([listed.data[0], listed.data[2]]);
    const json = { reset_usage_for_value: 'metadata._user:bob,model:gpt' };
    expect((await world.ask(`${usages}/${id}`, { method: 'PUT', json })).status).toBe(200);
    expect((await entities()).body.data).toEqual([listed.data[0]]);
  });

  it('repeats and loses no entity while others are counted between the pages', async () => {
    await using world = await policyWorld();
    const id = await makeUsage(world, { credit_limit: 2, group_by: [{ key: 'metadata._user' }] });
    const read = async (query: string): Promise<readonly { readonly id: string; readonly value_key: string }[]> =>
      (await world.ask(`${usages}/${id}/entities?${query}`)).body.data;
    const users = ['b', 'd', 'f', 'h', 'j'];
    const count = (): void =>
      void world.counters.buckets.set(
        id,
        users.map((user) => toBucket([user], 1)),
      );
    count();
    const seen: string[] = [];
    let last = '';
    for (let page = await read('page_size=2'); page.length > 0; page = await read(`page_size=2&after=${last}`)) {
      seen.push(...page.map(({ value_key }) => value_key));
      last = page.at(-1)?.id.toUpperCase() ?? '';
      // Before all that were read.
      users.unshift(`a${seen.length}`);
      count();
    }
    expect(seen).toEqual(['b', 'd', 'f', 'h', 'j'].map((user) => `metadata._user:${user}`));
    world.counters.buckets.set(id, [toBucket(['b'], 1)]);
    for (const after of [last, 'j']) {
      const { status, body } = await world.ask(`${usages}/${id}/entities?after=${after}`);
      expect([status, body.error.param]).toEqual([400, 'after']);
    }
  });

  it('has a separate key for each counter whose name was too long', async () => {
    await using world = await policyWorld();
    const id = await makeUsage(world, { credit_limit: 2 });
    const long = ['one', 'other'].map((name) => ({ ...toBucket(undefined, 1), bucket: `metadata._user:${name}…` }));
    world.counters.buckets.set(id, [toBucket(undefined, 1), ...long]);
    const { value_key_usage_map } = (await world.ask(`${usages}/${id}?include_usage=true`)).body;
    expect(Object.keys(value_key_usage_map)).toEqual(['*', 'metadata._user:one…', 'metadata._user:other…']);
    const json = { reset_usage_for_value: 'metadata._user:one…' };
    expect((await world.ask(`${usages}/${id}`, { method: 'PUT', json })).status).toBe(200);
    const { data } = (await world.ask(`${usages}/${id}/entities`)).body;
    expect(data.map(({ value_key }: { value_key: string }) => value_key)).toEqual(['*', 'metadata._user:other…']);
  });

  it('is counted in requests for a rate limit on requests', async () => {
    await using world = await policyWorld();
    const id = await makeRate(world);
    world.counters.buckets.set(id, [toBucket(['ann'], 7)]);
    const { data } = (await world.ask(`${rates}/${id}/entities`)).body;
    expect(data).toEqual([
      { id: expect.any(String), value_key: 'metadata._user:ann', current_usage: 7, limit: 60, unit: 'requests' },
    ]);
    await world.ask(`${rates}/${id}/entities/${data[0].id}/reset`, { method: 'PUT' });
    expect((await world.ask(`${rates}/${id}/entities`)).body.total).toBe(0);
  });

  it.each([
    ['rate limit', rates, { ...rate, type: 'tokens' }, 60],
    ['usage limit', usages, { ...usage, type: 'tokens', group_by: rate.group_by }, 10],
  ])('is counted in tokens for a %s on tokens', async (_, route, json, limit) => {
    await using world = await policyWorld();
    const { id } = (await world.ask(route, { json })).body;
    world.counters.buckets.set(id, [toBucket(['ann'], 7)]);
    expect((await world.ask(`${route}/${id}/entities`)).body.data).toEqual([
      { id: expect.any(String), value_key: 'metadata._user:ann', current_usage: 7, limit, unit: 'tokens' },
    ]);
  });
});

describe('a workspace', () => {
  it('cannot find the policies of another workspace, or learn whether they exist', async () => {
    await using world = await policyWorld();
    const [team, other] = [await world.newWorkspace('team'), await world.newWorkspace('other')];
    const own = await world.ask(usages, {
      key: team.key,
      json: { ...usage, conditions: [{ key: 'api_key', value: 'x' }] },
    });
    expect(own.status).toBe(200);
    const { id } = own.body;
    expect((await world.ask(`${usages}/${id}`, { key: team.key })).body.workspace_id).toBe(team.id);
    const nobody = '00000000-0000-7000-8000-000000000000';
    const requests = (name: string) =>
      [
        ['', 'GET', undefined],
        ['', 'PUT', { credit_limit: 1 }],
        ['', 'DELETE', undefined],
        ['/entities', 'GET', undefined],
        [`/entities/${name}/reset`, 'PUT', undefined],
      ] as const;
    for (const [at, [rest, method, json]] of requests(id).entries()) {
      const found = await world.ask(`${usages}/${id}${rest}`, { key: other.key, method, ...(json && { json }) });
      const [otherRest = ''] = requests(nobody)[at] ?? [];
      const none = await world.ask(`${usages}/${nobody}${otherRest}`, {
        key: other.key,
        method,
        ...(json && { json }),
      });
      expect(found.status).toBe(404);
      expect(JSON.stringify(found.body).replaceAll(id, '')).toBe(JSON.stringify(none.body).replaceAll(nobody, ''));
    }
    for (const query of ['', `?workspace_id=${team.id}`, '?workspace_id=team'])
      expect((await world.ask(`${usages}${query}`, { key: other.key })).body).toMatchObject({ total: 0, data: [] });
    const into = (workspace_id: string) => world.ask(usages, { key: other.key, json: { ...usage, workspace_id } });
    const [found, none] = [await into(team.id), await into(nobody)];
    expect(found.status).toBe(404);
    expect(JSON.stringify(found.body).replaceAll(team.id, '')).toBe(JSON.stringify(none.body).replaceAll(nobody, ''));
    const foreign = await world.ask(usages, { key: other.key, json: { ...usage, organisation_id: nobody } });
    expect(toProblems(foreign)).toEqual([403, '/organisation_id']);
    // A caller with access to the organisation can create and read policies of its workspaces.
    const made = await world.ask(rates, { json: { ...rate, workspace_id: 'team' } });
    expect((await world.ask(`${rates}/${made.body.id}`)).body.workspace_id).toBe(team.id);
    expect(toIds(await world.ask(`${rates}?workspace_id=team`, { key: team.key }))).toEqual([made.body.id]);
    expect((await world.ask(`${usages}?workspace_id=other`)).body.total).toBe(0);
  });

  it('must be named, with its organisation, by a caller without a service key', async () => {
    await using world = await policyWorld();
    const policies = new PolicyService({ ...world.parts, counters: world.counters }, 'usage');
    const { keyId, ...principal } = { ...world.admin, reach: 'workspace' as const };
    const { tenant, organisation } = world.admin;
    const caller = { tenant, organisation, principal };
    const create = (place: object) => policies.create(caller, place, (now) => validateUsage(usage, now));
    await expect(create({})).rejects.toMatchObject({
      report: { errors: [{ pointer: '/workspace_id' }, { pointer: '/organisation_id' }] },
    });
    await expect(create({ workspace_id: 'default' })).rejects.toMatchObject({
      report: { errors: [{ pointer: '/organisation_id' }] },
    });
    const row = await create({ workspace_id: 'default', organisation_id: organisation });
    expect(row).toMatchObject({ workspace_id: tenant, created_at: startTime });
    expect(keyId).toBeDefined();
  });
});

it('a key needs the scope of each operation', async () => {
  await using world = await policyWorld();
  const id = await makeUsage(world);
  const asked = {
    create: [usages, { json: usage }],
    list: [usages, {}],
    read: [`${usages}/${id}`, {}],
    update: [`${usages}/${id}`, { method: 'PUT', json: {} }],
    delete: [`${usages}/${id}`, { method: 'DELETE' }],
  } as const;
  for (const verb of ['create', 'list', 'read', 'update', 'delete'] as const) {
    const scopes = [`policies:${verb}`];
    const made = await world.keys.create(world.admin, { name: verb, scopes, workspace_id: 'default' });
    for (const [other, [path, request]] of Object.entries(asked)) {
      if (other === 'delete' && verb === 'delete') continue;
      const { status } = await world.ask(path, { ...request, key: made.key });
      expect([other, status]).toEqual([other, other === verb ? 200 : 403]);
    }
  }
});
