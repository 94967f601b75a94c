import { describe, expect, it } from 'vitest';
import type { Key } from '../../../plugins/console/app/pages/keys/key.ts';
import {
  emptyFields,
  fieldErrors,
  presetScopes,
  toBody,
  toFields,
} from '../../../plugins/console/app/pages/keys/key-fields.ts';
import { describeCounter } from '../../../plugins/console/app/pages/policies/describe.ts';
import { forecast } from '../../../plugins/console/app/pages/policies/forecast.ts';
import type { Budget } from '../../../plugins/console/app/pages/policies/policy.ts';
import {
  emptyPolicy,
  policyErrors,
  toPolicyBody,
  toPolicyFields,
} from '../../../plugins/console/app/pages/policies/policy-fields.ts';

const key: Key = {
  id: 'k',
  name: 'shop',
  key: 'gw-…',
  kind: 'workspace-service',
  scopes: ['completions.write'],
  status: 'active',
  rate_limits: [
    { type: 'requests', unit: 'rpm', value: 60 },
    { type: 'tokens', unit: 'rpd', value: 1_000_000 },
  ],
  usage_limits: { credit_limit: 20, type: 'cost', alert_threshold: 15, periodic_reset_days: 10 },
  expires_at: 1_700_000_059,
  created_at: 1_600_000_000,
};

describe('the form of a key', () => {
  it('creates a key with only the typed values', () => {
    expect(toBody({ ...emptyFields, name: ' app ' })).toEqual({
      name: 'app',
      scopes: ['completions.write'],
      kind: 'workspace-service',
    });
  });

  it('keeps what it does not show: the seconds of the expiry, further limits, the period in days and the threshold', () => {
    expect(toBody({ ...toFields(key), name: 'renamed' }, key)).toEqual({
      name: 'renamed',
      scopes: ['completions.write'],
      rate_limits: key.rate_limits,
      usage_limits: { credit_limit: 20, type: 'cost', alert_threshold: 15, periodic_reset_days: 10 },
    });
  });

  it('removes limits and the expiry if their fields are cleared', () => {
    const limited = { ...key, rate_limits: key.rate_limits.slice(0, 1) };
    expect(toBody({ ...toFields(limited), rate: '', budget: '', expires: '' }, limited)).toMatchObject({
      rate_limits: null,
      usage_limits: null,
      expires_at: null,
    });
  });

  it.each([
    ['a name', { name: ' ' }, 'name'],
    ['a scope', { scopes: [] }, 'scopes'],
    ['a budget that is not negative', { budget: '-1' }, 'budget'],
    ['a budget in plain digits', { budget: '1e3' }, 'budget'],
    ['a budget in whole tokens', { budget: '1.5', budgetType: 'tokens' }, 'budget'],
    ['a whole number as the rate', { rate: '0.5' }, 'rate'],
    ['an end in the future', { expires: '2020-01-01T00:00' }, 'expires'],
    ['an end that is a time', { expires: 'soon' }, 'expires'],
  ] as const)('requires %s: %j', (_, changes, field) => {
    expect(Object.keys(fieldErrors({ ...emptyFields, name: 'app', ...changes }))).toEqual([field]);
  });

  it('accepts an expired key without a new expiry', () => {
    expect(fieldErrors(toFields(key), Date.now(), key)).toEqual({});
  });

  it('offers only the scopes of the session', () => {
    const own = ['keys.list', 'logs.view', 'keys.create'];
    expect(presetScopes('application', own, [])).toEqual([]);
    expect(presetScopes('reader', own, [])).toEqual(['keys.list', 'logs.view']);
    expect(presetScopes('all', own, [])).toEqual(own);
    expect(presetScopes('custom', own, ['keys.list'])).toEqual(['keys.list']);
  });
});

const budget: Budget = {
  object: 'policy_usage_limits',
  id: 'p',
  name: null,
  conditions: [{ key: 'workspace_id', value: '*' }],
  group_by: [{ key: 'api_key' }],
  created_at: '2026-01-01T00:00:00.000Z',
  type: 'cost',
  credit_limit: 50,
  alert_threshold: null,
  periodic_reset: null,
  periodic_reset_days: 7,
  last_reset_at: null,
  next_usage_reset_at: null,
};

describe('the form of a policy', () => {
  it('creates a budget for a label', () => {
    const fields = {
      ...emptyPolicy,
      subject: 'metadata',
      label: 'team',
      value: 'shop',
      amount: '5',
      alert: '4',
    } as const;
    expect(toPolicyBody(fields, 'budget')).toEqual({
      conditions: [{ key: 'metadata.team', value: 'shop' }],
      group_by: [{ key: 'api_key' }],
      type: 'cost',
      credit_limit: 5,
      alert_threshold: 4,
      periodic_reset: 'monthly',
    });
  });

  it('keeps a period in days until another period is chosen', () => {
    const fields = toPolicyFields(budget);
    expect(toPolicyBody(fields, 'budget', budget)).toEqual({ name: null, credit_limit: 50, alert_threshold: null });
    expect(toPolicyBody({ ...fields, period: 'weekly' }, 'budget', budget)).toMatchObject({
      periodic_reset: 'weekly',
      periodic_reset_days: null,
    });
  });

  it.each([
    [{ amount: '' }, 'budget', ['amount']],
    [{ amount: '5', alert: '5' }, 'budget', ['alert']],
    [{ amount: '1.5' }, 'rate', ['amount']],
    [{ amount: '1', subject: 'model' }, 'budget', ['value']],
    [{ amount: '1', group: 'metadata' }, 'budget', ['groupLabel']],
  ] as const)('rejects %j for a %s', (changes, kind, wrong) => {
    expect(Object.keys(policyErrors({ ...emptyPolicy, ...changes }, kind, true))).toEqual(wrong);
  });
});

describe('the forecast of when a budget is used up', () => {
  const day = 86_400_000;
  const spent = { limit: 100, since: 0, now: 10 * day, resetsAt: undefined };

  it.each([
    ['is now if nothing is left', { ...spent, used: 100 }, { status: 'used-up' }],
    ['follows from the use of the first ten days', { ...spent, used: 50 }, { status: 'used-up-at', at: 20 * day }],
    ['is never if the budget is reset before that', { ...spent, used: 50, resetsAt: 15 * day }, { status: 'lasts' }],
    ['is unknown if nothing is used', { ...spent, used: 0 }, { status: 'unknown' }],
    ['is unknown in the first seconds', { ...spent, used: 50, now: 1000 }, { status: 'unknown' }],
    ['is now for a budget of 0', { ...spent, used: 0, limit: 0 }, { status: 'used-up' }],
  ] as const)('%s', (_, given, expected) => {
    expect(forecast(given)).toEqual(expected);
  });
});

describe('the name of a counter', () => {
  it.each(['$& of $1', 'Cash $$', "$` and $'"])('contains the name of its key unchanged: %s', (name) => {
    const budget = { group_by: [{ key: 'api_key' }] } as unknown as Budget;
    const id = '01a235d1-eca2-7bcb-aeeb-1dc6f4610316';
    expect(describeCounter(`api_key:${id}`, budget, new Map([[id, name]]))).toBe(name);
  });
});
