import { describe, expect, it } from 'vitest';
import { ratePolicyRoutes, usagePolicyRoutes } from '../../../../../plugins/control/metering/policies/policy-routes.ts';
import { mirrorLabel } from '../../../../../plugins/sdk/exchange/identified-metadata.ts';
import { nothingSaved } from '../../../../../schema/config/saved.ts';
import { controlWorld } from '../../support/control-world.ts';
import { rate, toProblems, usage } from './support.ts';

const usages = '/policies/usage-limits';
const rates = '/policies/rate-limits';

const labels = {
  plan: { enum: ['free', 'gold'], enforce: true },
  seats: { type: 'integer', minimum: 1, maximum: 100 },
  beta: { type: 'boolean' },
  team: { pattern: '^[a-z-]+$', type: 'string' },
} as const;

const declareIt = 'If the name is right, declare it under "metadata" in the gateway file, and restart the gateway.';

const world = () =>
  controlWorld({
    overlay: { ...nothingSaved, labels },
    routes: (parts) => [...usagePolicyRoutes(parts), ...ratePolicyRoutes(parts)],
  });

describe('a label that a policy groups by', () => {
  const warnedOf = async (conditions: readonly object[], group: string): Promise<unknown> => {
    await using opened = await controlWorld({
      overlay: {
        ...nothingSaved,
        labels: { ...labels, team: { required: true, enforce: true }, area: { required: true } },
      },
      routes: (parts) => usagePolicyRoutes(parts),
    });
    const json = { ...usage, conditions, group_by: [{ key: 'model' }, { key: group }] };
    const { diagnostics } = (await opened.ask(usages, { json })).body as {
      readonly diagnostics?: readonly { readonly pointer: string; readonly code: string }[];
    };
    return diagnostics?.map(({ pointer, code }) => `${code} ${pointer}`);
  };
  const all = [{ key: 'model', value: '*' }];

  it.each([
    ['may be missing', all, 'metadata.plan', true],
    ['is required but not enforced', all, 'metadata.area', true],
    [
      'may be missing, and a condition accepts any value',
      [{ key: 'metadata.plan', value: '*' }],
      'metadata.plan',
      true,
    ],
    ['is limited to certain values', [{ key: 'metadata.plan', value: 'gold' }], 'metadata.plan', false],
    ['is required and enforced', all, 'metadata.team', false],
    ['is set by the gateway', all, 'metadata._prompt', false],
    ['is the user', all, 'metadata._user', true],
    ['is not a label', all, 'provider', false],
  ])('causes a warning only if requests may lack it: it %s', async (_, conditions, group, isWarned) => {
    expect(await warnedOf(conditions, group)).toEqual(isWarned ? ['optional-label /group_by/1/key'] : undefined);
  });
});

describe('policies of a gateway that declares labels', () => {
  it('can name only declared labels and the values that these may have', async () => {
    await using opened = await world();
    const created = async (conditions: readonly object[], groups: readonly string[] = ['api_key']) => {
      const body = { conditions, group_by: groups.map((key) => ({ key })) };
      const asUsage = await opened.ask(usages, { json: { ...usage, ...body } });
      const asRate = await opened.ask(rates, { json: { ...rate, ...body } });
      expect(toProblems(asRate)).toEqual(toProblems(asUsage));
      return asUsage;
    };
    const label = (name: string, value: string | readonly string[], excludes?: string) => ({
      ...{ key: `metadata.${name}`, value },
      ...(excludes === undefined ? {} : { excludes }),
    });
    const fine = [
      label('plan', 'gold'),
      label('plan', ['free', 'g*']),
      label('plan', '*', 'free'),
      label('seats', '12'),
      label('beta', 'true'),
      label('team', '*-eu'),
      label('team', 'sales'),
      label('_user', 'anyone'),
      { key: 'model', value: 'any' },
    ];
    for (const each of fine) expect(toProblems(await created([each])), JSON.stringify(each)).toEqual([200]);
    expect(toProblems(await created([label('plan', '*')], ['metadata.team', 'metadata._user']))).toEqual([200]);

    const wrong = [
      [label('plam', 'gold'), '/conditions/0/key'],
      [label('plan', 'silver'), '/conditions/0/value'],
      [label('plan', ['gold', 'x*']), '/conditions/0/value/1'],
      [label('plan', '*', 'silver'), '/conditions/0/excludes'],
      [label('seats', '0'), '/conditions/0/value'],
      [label('seats', 'many'), '/conditions/0/value'],
      [label('beta', 'yes'), '/conditions/0/value'],
      [label('team', 'Sales'), '/conditions/0/value'],
    ] as const;
    for (const [each, at] of wrong) expect(toProblems(await created([each])), JSON.stringify(each)).toEqual([400, at]);
    expect(toProblems(await created([label('plan', '*')], ['metadata.reigon']))).toEqual([400, '/group_by/0/key']);
    const { body } = await created([label('plam', 'gold')]);
    expect(body.error.errors[0]).toMatchObject({
      message: 'The gateway file declares no label "plam".',
      hint: `Did you mean "plan"? Declared are plan, seats, beta, team. ${declareIt}`,
    });
  });

  it('are refused for a label that begins with "_" and is neither declared nor set by the gateway', async () => {
    await using opened = await world();
    const body = { conditions: [{ key: 'metadata._usr', value: '*' }], group_by: [{ key: 'metadata._usr' }] };
    const own = 'The gateway itself gives requests _user, _organisation, _prompt, _mirror.';
    const error = {
      message: 'The gateway file declares no label "_usr".',
      hint: `Did you mean "_user"? Declared are plan, seats, beta, team. ${own} ${declareIt}`,
    };
    const errors = ['/conditions/0/key', '/group_by/0/key'].map((pointer) => ({ ...error, pointer }));
    for (const [path, whole] of [
      [usages, usage],
      [rates, rate],
    ] as const)
      expect(await opened.ask(path, { json: { ...whole, ...body } })).toMatchObject({
        status: 400,
        body: { error: { errors } },
      });
    const { body: saved } = await opened.ask(usages, { json: usage });
    const change = (json: object) => opened.ask(`${usages}/${saved.id}`, { method: 'PUT', json });
    expect(toProblems(await change({ conditions: body.conditions }))).toEqual([400, '/conditions/0/key']);
    expect((await change({ credit_limit: 7 })).body).toEqual({});
    const ownLabels = ['_user', '_organisation', '_prompt', mirrorLabel].map((name) => ({ key: `metadata.${name}` }));
    expect((await opened.ask(usages, { json: { ...usage, group_by: ownLabels } })).status).toBe(200);
  });

  it('are only checked with dry_run, which saves and changes nothing', async () => {
    await using opened = await world();
    for (const [path, whole, change] of [
      [usages, usage, { credit_limit: 7 }],
      [rates, rate, { value: 7 }],
    ] as const) {
      const tried = (json: object) => opened.ask(`${path}?dry_run=true`, { json: { ...whole, ...json } });
      expect(toProblems(await tried({ group_by: [{ key: 'metadata.plam' }] }))).toEqual([400, '/group_by/0/key']);
      expect((await tried({ group_by: [{ key: 'model' }] })).body).toEqual({});
      expect((await tried({ group_by: [{ key: 'metadata.plan' }] })).body).toEqual({
        diagnostics: [expect.objectContaining({ code: 'optional-label', pointer: '/group_by/0/key' })],
      });
      expect((await opened.ask(path)).body).toMatchObject({ total: 0 });
      const { body } = await opened.ask(path, { json: whole });
      const before = (await opened.ask(`${path}/${body.id}`)).body;
      const asked = await opened.ask(`${path}/${body.id}?dry_run=true`, { method: 'PUT', json: change });
      expect(asked).toMatchObject({ status: 200, body: {} });
      expect((await opened.ask(`${path}/${body.id}`)).body).toEqual(before);
    }
  });

  it('cannot be changed to name other values', async () => {
    await using opened = await world();
    const { body } = await opened.ask(usages, { json: usage });
    const change = (conditions: readonly object[]) =>
      opened.ask(`${usages}/${body.id}`, { method: 'PUT', json: { conditions } });
    expect(toProblems(await change([{ key: 'metadata.plan', value: 'gold' }]))).toEqual([200]);
    expect(toProblems(await change([{ key: 'metadata.plan', value: 'silver' }]))).toEqual([400, '/conditions/0/value']);
  });
});
