import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Limits, Unavailable } from '../../../../../plugins/control/metering/counters/limits.ts';
import type { Exchange, OrganisationId, WorkspaceId } from '../../../../../plugins/sdk/exchange/exchange.ts';
import { GatewayError } from '../../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { toTenant } from '../../../../support/in-process/sample-exchange.ts';
import { limiterWorld, limitPolicy, modelAttempt, readRefusal, used } from './support/limiter-world.ts';

const nothing = used(0, 0);

describe('a usage limit', () => {
  it('admits the request that exceeds it, and refuses the next one before it is routed', async () => {
    const { run, admit } = limiterWorld([limitPolicy({ limit: 1000 })]);
    await run(used(500, 499));
    await run(used(500, 5000));
    expect(await readRefusal(() => admit())).toEqual({
      ...{ status: 412, code: 'usage-exhausted', endsRequest: true },
      message:
        'The usage limit "The policy" is reached: it allows 1000 tokens. It does not reset by itself: ask whoever manages the limit to raise or reset it.',
      headers: { 'x-ratelimit-limit-tokens': '1000', 'x-ratelimit-remaining-tokens': '0', 'x-should-retry': 'false' },
    });
  });

  it('reserves what an attempt may use, so that a concurrent attempt is refused for the moment', async () => {
    const { run, admit } = limiterWorld([limitPolicy({ limit: 200 })]);
    await run(used(70, 10));
    const [one, other] = [await admit(), await admit()];
    const reservation = await one.attempt(modelAttempt);
    expect(await readRefusal(() => other.attempt(modelAttempt))).toEqual({
      ...{ status: 429, code: 'limit-reserved', endsRequest: true },
      message:
        'The limit "The policy" has no room at the moment: it allows 200 tokens, of which 80 tokens are used, and requests in progress have reserved the rest. Try again after the time in retry-after.',
      headers: { 'retry-after': '1', 'x-ratelimit-limit-tokens': '200', 'x-ratelimit-remaining-tokens': '0' },
    });
    reservation.settle(used(1, 1));
    (await other.attempt(modelAttempt)).release();
  });

  it('reserves nothing before an attempt', async () => {
    const held: string[] = [];
    const { admit } = limiterWorld([limitPolicy({ limit: 1 })], {
      limits: (memory) => {
        const reserve = memory.reserve.bind(memory);
        return Object.assign(memory, {
          reserve: (...asked: Parameters<typeof reserve>) => {
            held.push(asked[0]);
            return reserve(...asked);
          },
        });
      },
    });
    const request = await admit();
    expect(held).toEqual([]);
    await request.attempt(modelAttempt);
    expect(held).toHaveLength(1);
  });

  it('counts nothing for an attempt that was not sent or used nothing', async () => {
    const { run, admit } = limiterWorld([limitPolicy({ limit: 1 })]);
    (await (await admit()).attempt(modelAttempt)).release();
    await run(nothing);
    await run(used(1, 0));
    expect((await readRefusal(() => admit())).status).toBe(412);
  });

  it('of a target refuses attempts at that target, but not at another one', async () => {
    const limited = limitPolicy({ limit: 1, conditions: [{ key: 'provider', values: ['openai'], excludes: [] }] });
    const { run, admit } = limiterWorld([limited]);
    await run(used(1, 0));
    const request = await admit();
    expect(await readRefusal(() => request.attempt(modelAttempt))).toMatchObject({ status: 412, endsRequest: false });
    await request.attempt({ ...modelAttempt, provider: 'anthropic' });
  });

  it('of cost is charged with the cost of attempts, and uses dollars in its message', async () => {
    const prices = { ready: () => undefined, cost: () => ({ nanoUsd: 5, prices: 'test' }) };
    const { run, admit } = limiterWorld([limitPolicy({ unit: 'nanoUsd', limit: 1_500_000_000 })], { prices });
    await run(used(1, 1, 1_499_999_999));
    await run(used(1, 1, 1));
    const { message, headers } = await readRefusal(() => admit());
    expect(message).toContain('it allows $1.50.');
    expect(headers).toEqual({ 'x-should-retry': 'false' });
  });

  it('is reported if it is the first in the list of several that are reached', async () => {
    const policies = ['One', 'Two'].map((name) => limitPolicy({ id: name, name, limit: 1 }));
    const { run, admit } = limiterWorld(policies);
    await run(used(1, 0));
    expect((await readRefusal(() => admit())).message).toContain('"One"');
  });
});

describe('a limit for each user', () => {
  const ofUsers = limitPolicy({ limit: 0, groupBy: ['metadata._user', 'model', 'workspace_id'] });
  const labelled = (metadata: JsonObject): Partial<Exchange> => ({
    facts: { metadata, params: {}, url: { pathname: '/' } },
  });
  const refusal = async (given: Partial<Exchange>, policy = ofUsers): Promise<readonly (string | undefined)[]> => {
    const error: unknown = await limiterWorld([policy])
      .admit(given)
      .then(async (request) => request.attempt(modelAttempt))
      .catch((thrown: unknown) => thrown);
    if (!(error instanceof GatewayError)) throw new Error('It was not refused.');
    return [error.report.message.replace(/:.*/, ''), error.report.about];
  };

  it('names the user to the caller that sent the label, and also the model in the log', async () => {
    expect(await refusal(labelled({ _user: 'ada, "the first"' }))).toEqual([
      String.raw`The usage limit "The policy" for _user "ada, \"the first\"" is reached`,
      String.raw`the limit "The policy" for _user "ada, \"the first\"" and model "m"`,
    ]);
    const ofRequests = limitPolicy({ kind: 'rate', limit: 0, groupBy: ['metadata._user'] });
    expect(await refusal(labelled({ _user: 'ada' }), ofRequests)).toEqual([
      'The rate limit "The policy" for _user "ada" is reached',
      'the limit "The policy" for _user "ada"',
    ]);
  });

  it.each([{ defaults: { metadata: { _user: 'bob' } } }, { userId: 'bob' }])(
    'does not show the caller a user that comes from %j',
    async (of) => {
      const principal = {
        ...{ tenant: toTenant('w'), keyId: 'k', ...of },
        ...{ workspace: 'w' as WorkspaceId, organisation: 'o' as OrganisationId },
      };
      expect(await refusal({ ...labelled({ _user: 'bob' }), principal })).toEqual([
        'The usage limit "The policy" is reached',
        'the limit "The policy" for _user "bob" and model "m"',
      ]);
    },
  );

  it('masks a credential in the place of a user name, and omits a name that is too long', async () => {
    expect(await refusal(labelled({ _user: `sk-ant-api03-${'aB3dE5'.repeat(16)}` }))).toEqual([
      'The usage limit "The policy" for _user "•••" is reached',
      'the limit "The policy" for _user "•••" and model "m"',
    ]);
    expect(await refusal(labelled({ _user: 'a'.repeat(400) }))).toEqual([
      'The usage limit "The policy" is reached',
      'the limit "The policy"',
    ]);
  });
});

describe('a rate limit', () => {
  const perMinute = limitPolicy({ kind: 'rate', unit: 'requests', limit: 2, reset: { every: 'minute' } });

  it('admits a number of requests in a window, and reports when it resets', async () => {
    const { clock, run, admit } = limiterWorld([perMinute]);
    await run(nothing);
    await run(nothing);
    clock.advance(17_500);
    expect(await readRefusal(() => admit())).toEqual({
      ...{ status: 429, code: 'rate-limited', endsRequest: true },
      message:
        'The rate limit "The policy" is reached: it allows 2 requests a minute. It resets at 2026-11-21T12:01:00Z.',
      headers: {
        'retry-after': '43',
        'x-ratelimit-limit-requests': '2',
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '43',
      },
    });
    clock.advance(42_500);
    await admit();
  });

  it('counts a request once, however many attempts it makes', async () => {
    const { admit, flush, postings } = limiterWorld([perMinute]);
    const request = await admit();
    for (let attempt = 0; attempt < 5; attempt += 1) (await request.attempt(modelAttempt)).settle(used(1, 1));
    request.end();
    await admit();
    await flush();
    expect(postings.flatMap(({ charges }) => charges)).toMatchObject([{ policy: 'p', unit: 'requests', amount: 1 }]);
    expect(postings.filter(({ entry }) => entry.isFirst)).toHaveLength(1);
    expect(postings.filter(({ entry }) => entry.isAttempt !== false)).toHaveLength(5);
  });

  it('does not count a request of which nothing was sent', async () => {
    const { admit } = limiterWorld([perMinute]);
    for (let at = 0; at < 5; at += 1) (await admit()).end();
    for (let at = 0; at < 5; at += 1) {
      const request = await admit();
      (await request.attempt(modelAttempt)).release();
      request.end();
    }
  });

  it('of a target counts a request when it makes its first attempt there', async () => {
    const { admit } = limiterWorld([limitPolicy({ ...perMinute, groupBy: ['model'] })]);
    const request = await admit();
    for (let at = 0; at < 5; at += 1) (await request.attempt(modelAttempt)).settle(nothing);
    (await (await admit()).attempt(modelAttempt)).settle(nothing);
    const third = await admit();
    expect((await readRefusal(() => third.attempt(modelAttempt))).status).toBe(429);
    (await third.attempt({ ...modelAttempt, model: 'other' })).release();
  });

  it.each<[string, boolean]>([
    ['before the second is settled', true],
    ['after the second is settled', false],
  ])('of a target counts a request once if the first of its two attempts is released %s', async (_, isBefore) => {
    const { admit, flush, postings } = limiterWorld([limitPolicy({ ...perMinute, groupBy: ['model'] })]);
    for (let at = 0; at < 2; at += 1) {
      const request = await admit();
      const [first, second] = [await request.attempt(modelAttempt), await request.attempt(modelAttempt)];
      if (isBefore) first.release();
      second.settle(used(1, 1));
      if (!isBefore) first.release();
      request.end();
    }
    const third = await admit();
    expect((await readRefusal(() => third.attempt(modelAttempt))).status).toBe(429);
    await flush();
    const counted = postings.flatMap(({ charges }) => charges.map(({ amount }) => amount));
    expect(counted.reduce((sum, amount) => sum + amount, 0)).toBe(2);
    expect(postings.filter(({ entry }) => entry.isFirst)).toHaveLength(2);
    expect(postings.filter(({ entry }) => entry.isAttempt !== false)).toHaveLength(2);
  });

  it('of a target counts a request once if two attempts begin before the counters have answered', async () => {
    const { admit, flush, postings } = limiterWorld([limitPolicy({ ...perMinute, groupBy: ['model'], limit: 1 })], {
      limits: (memory) => {
        const reserve = memory.reserve.bind(memory);
        return Object.assign(memory, {
          reserve: async (...asked: Parameters<typeof reserve>) => {
            await setImmediate();
            return reserve(...asked);
          },
        });
      },
    });
    const request = await admit();
    const attempts = await Promise.all([request.attempt(modelAttempt), request.attempt(modelAttempt)]);
    for (const attempt of attempts) attempt.settle(used(1, 1));
    request.end();
    await flush();
    expect(postings.flatMap(({ charges }) => charges.map(({ amount }) => amount))).toEqual([1]);
    expect(postings.filter(({ entry }) => entry.isAttempt !== false)).toHaveLength(2);
  });

  it('asks clients not to retry if they would have to wait more than a minute, or in vain', async () => {
    const hourly = limiterWorld([limitPolicy({ ...perMinute, reset: { every: 'hour' }, limit: 1 })]);
    await hourly.run(nothing);
    expect((await readRefusal(() => hourly.admit())).headers).toMatchObject({
      'retry-after': '3600',
      'x-should-retry': 'false',
    });
    // Codex would wait for `retry-after`, however long it is.
    const budget = limiterWorld([limitPolicy({ kind: 'usage', unit: 'tokens', limit: 1, reset: { every: 'month' } })]);
    await budget.run(used(1, 1));
    const spent = await readRefusal(() => budget.admit());
    expect(spent).toMatchObject({ status: 412, headers: { 'x-should-retry': 'false' } });
    expect(spent.headers).not.toHaveProperty('retry-after');
    const { headers } = await readRefusal(() => limiterWorld([{ ...perMinute, limit: 0 }]).admit());
    expect(headers).toMatchObject({ 'x-should-retry': 'false' });
    expect(headers).not.toHaveProperty('retry-after');
  });
});

describe('unknown usage', () => {
  const perCost = limitPolicy({ unit: 'nanoUsd', limit: 10 });
  const unavailable: Unavailable = { kind: 'unavailable' };
  const away = (memory: Limits<never> | object): never =>
    Object.assign(memory, { reserve: async () => unavailable, peek: async () => unavailable }) as never;

  it('is allowed by default, and reported once a minute', async () => {
    const { run, said, clock } = limiterWorld([perCost]);
    await run(used(1, 1));
    await run(used(1, 1));
    await run(used(1, 1));
    expect(said).toHaveLength(1);
    clock.advance(60_000);
    expect(said).toHaveLength(2);
    expect(said[1]).toMatch(/^gw: 2 attempts were let through past a limit of cost/);
  });

  it('is reported once for each request while the counters are unavailable', async () => {
    const { run, said, clock } = limiterWorld([limitPolicy({ unit: 'tokens', limit: 10 })], { limits: away });
    for (let request = 0; request < 4; request += 1) await run(used(1, 1));
    clock.advance(60_000);
    const why = 'let through because the counters of limits could not be reached in time.\n';
    expect(said).toEqual([`gw: 1 request was ${why}`, `gw: 3 requests were ${why}`]);
  });

  it('is not reported for an attempt that used nothing', async () => {
    const { run, said, clock } = limiterWorld([perCost]);
    await run({ ...nothing, kind: 'none' });
    clock.advance(60_000);
    expect(said).toEqual([]);
  });

  it('of a model without a price is refused if the policy says so', async () => {
    const { admit } = limiterWorld([{ ...perCost, ifUnknown: 'refuse' }]);
    const request = await admit();
    expect(await readRefusal(() => request.attempt(modelAttempt))).toMatchObject({
      status: 412,
      code: 'unpriced-model',
    });
  });

  it('of a request that cannot be measured is refused if the policy says so', async () => {
    const { admit } = limiterWorld([limitPolicy({ ifUnknown: 'refuse' })]);
    const request = await admit({ route: { operation: 'opaque' } });
    expect(await readRefusal(() => request.attempt(modelAttempt))).toMatchObject({
      status: 412,
      code: 'unmeasured-request',
    });
  });

  it('is allowed if the counters do not answer, or refused if the policy says so', async () => {
    const allowing = limiterWorld([limitPolicy()], { limits: away });
    await allowing.run(used(1, 1));
    expect(allowing.said[0]).toContain('the counters of limits could not be reached');
    const refusing = limiterWorld([limitPolicy({ ifUnknown: 'refuse' })], { limits: away });
    expect(await readRefusal(() => refusing.admit())).toMatchObject({
      ...{ status: 503, code: 'limits-unavailable' },
      headers: { 'retry-after': '1' },
    });
  });
});

describe('the usage that is counted', () => {
  it('includes every attempt of a caller in the store, with its key, plan, labels and usage', async () => {
    const { admit, postings } = limiterWorld([]);
    const request = await admit({
      facts: { metadata: { team: 'a', size: 7, odd: ['x'] }, params: {}, url: { pathname: '/' } },
    });
    (await request.attempt({ ...modelAttempt, slug: 'main' })).settle(used(1, 2));
    (await request.attempt(modelAttempt)).settle(used(3, 4));
    request.end();
    expect(postings.map(({ charges, entry }) => [charges, entry])).toMatchObject([
      [
        [],
        {
          ...{ trace: 'trace', organisation: 'o', workspace: 'w', key: 'k', config: 'prod', provider: 'openai' },
          ...{ slug: 'main', model: 'm', metadata: { team: 'a', size: '7' }, isFirst: true, usage: used(1, 2) },
        },
      ],
      [[], { isFirst: false, usage: used(3, 4) }],
    ]);
    expect(new Set(postings.map(({ id }) => id)).size).toBe(2);
  });

  it('excludes a caller that is not in the store', async () => {
    const { admit } = limiterWorld([limitPolicy({ limit: 0 })]);
    await expect(admit({ principal: { tenant: toTenant('') } })).rejects.toThrow('Nothing is counted');
  });

  it('is reported once in a window when it reaches the alert threshold, and once when it reaches the limit', async () => {
    const { run, reached, clock } = limiterWorld([limitPolicy({ limit: 10, alertAt: 5, reset: { every: 'minute' } })]);
    await run(used(4, 0));
    expect(reached).toEqual([]);
    await run(used(1, 0));
    await run(used(1, 0));
    expect(reached).toMatchObject([{ kind: 'threshold', used: 5, bucket: '' }]);
    await run(used(4, 0));
    expect(reached.map(({ kind }) => kind)).toEqual(['threshold', 'exhausted']);
    clock.advance(60_000);
    await run(used(5, 0));
    expect(reached.map(({ kind }) => kind)).toEqual(['threshold', 'exhausted', 'threshold']);
  });

  it('is reported by the next attempt if several concurrent attempts have reached the threshold', async () => {
    const { admit, run, reached } = limiterWorld([limitPolicy({ limit: 1000, alertAt: 5 })]);
    const requests = [await admit(), await admit()];
    const reservations = [];
    for (const request of requests) reservations.push(await request.attempt(modelAttempt));
    for (const reservation of reservations) reservation.settle(used(3, 0));
    expect(reached).toEqual([]);
    await run(used(0, 0));
    expect(reached).toMatchObject([{ kind: 'threshold', used: 6 }]);
  });

  it('is reported again after a reset', async () => {
    const policy = limitPolicy({ limit: 10, alertAt: 5, reset: { every: 'month' } });
    const { run, reached, limits } = limiterWorld([policy]);
    const kinds = () => reached.map(({ kind }) => kind);
    await run(used(10, 0));
    expect(kinds()).toEqual(['threshold', 'exhausted']);
    await limits.reset({ policy: policy.id, bucket: '', reset: policy.reset });
    expect(kinds()).toHaveLength(2);
    await run(used(6, 0));
    expect(kinds()).toEqual(['threshold', 'exhausted', 'threshold']);
    await run(used(3, 0));
    expect(kinds()).toHaveLength(3);
  });
});

describe('a limiter that counts only what limits cover', () => {
  it('ignores requests of a workspace without limits', async () => {
    const { admit } = limiterWorld([], { countsAll: false });
    await expect(admit()).rejects.toThrow('Nothing is counted');
  });

  it('posts only the attempts that a limit covers', async () => {
    const limited = limitPolicy({ limit: 1000, conditions: [{ key: 'provider', values: ['openai'], excludes: [] }] });
    const { run, flush, postings } = limiterWorld([limited], { countsAll: false });
    await run(used(1, 2));
    await run(used(3, 4), { provider: 'anthropic' });
    await flush();
    expect(postings.map(({ entry }) => entry.provider)).toEqual(['openai']);
  });
});
