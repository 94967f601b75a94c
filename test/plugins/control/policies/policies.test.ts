import { expect, it } from 'vitest';
import { policyWorld, problemsOf, rate, usage } from './support.ts';

it('makes policies of both kinds, and shows them as they were made', async () => {
  await using world = await policyWorld();
  const made = await world.ask('/policies/usage-limits', { json: { ...usage, credit_limit: 0.1, name: 'Team' } });
  expect(made).toEqual({ status: 200, body: { id: expect.any(String), object: 'policy_usage_limits' } });
  const row = await world.store.db.selectFrom('policies').selectAll().executeTakeFirstOrThrow();
  expect(row.amount).toBe(100_000_000);
  const read = await world.ask(`/policies/usage-limits/${made.body.id}`);
  expect(read.body).toEqual({
    ...usage,
    ...{ object: 'policy_usage_limits', id: made.body.id, name: 'Team', credit_limit: 0.1, alert_threshold: null },
    ...{ periodic_reset: null, periodic_reset_days: null, last_reset_at: null, next_usage_reset_at: null },
    ...{ if_unknown: 'allow', status: 'active', workspace_id: world.admin.tenant },
    organisation_id: world.admin.organisation,
    ...{ created_at: '2026-01-31T00:00:00.000Z', last_updated_at: '2026-01-31T00:00:00.000Z' },
  });
  const limited = await world.ask('/policies/rate-limits', { json: rate });
  expect(limited).toEqual({ status: 200, body: { id: expect.any(String), object: 'policy_rate_limits' } });
  expect((await world.ask(`/policies/rate-limits/${limited.body.id}`)).body).toEqual({
    ...rate,
    ...{ object: 'policy_rate_limits', id: limited.body.id, name: null, if_unknown: 'allow', status: 'active' },
    ...{ workspace_id: world.admin.tenant, organisation_id: world.admin.organisation },
    ...{ created_at: '2026-01-31T00:00:00.000Z', last_updated_at: '2026-01-31T00:00:00.000Z' },
  });
  expect(problemsOf(await world.ask(`/policies/rate-limits/${made.body.id}`))).toEqual([404]);
});
