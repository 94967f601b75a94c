import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LimitPolicy } from '../../../../../plugins/control/kernel/limits/limit-policy.ts';
import { sharingLimits } from '../../../../../plugins/control/kernel/limits/own-limits.ts';
import { openStore } from '../../../../../plugins/control/kernel/store/open/open-store.ts';
import type { Store } from '../../../../../plugins/control/kernel/store/store.ts';
import { pauseAfter } from '../../../../../plugins/control/work/batches/provider-usage/watch-job.ts';
import { gatewayError } from '../../../../../schema/errors/errors.ts';
import { temporaryFolder } from '../../../../support/commands/temporary-folder.ts';
import { lawRuns } from '../../../../support/run/law-runs.ts';
import { type PostgresServer, postgresFolder, startPostgres } from '../../../../support/servers/postgres-server.ts';
import { limitPolicy } from '../../metering/limiter/support/limiter-world.ts';
import { type TemporaryStore, temporaryStore } from '../../support/temporary-store.ts';
import { allOf } from '../files/support/filing.ts';
import { type Fate, mortalStore } from './support/mortal-store.ts';
import { leaseMs, watchWorld } from './support/watch-world.ts';

/** A line of a batch and its outcome. */
interface Line {
  readonly end: 'done' | 'failed' | 'expired';
  readonly model: string;
  readonly fresh: number;
  readonly cached: number;
  readonly output: number;
}

const line: fc.Arbitrary<Line> = fc.record({
  end: fc.constantFrom('done', 'done', 'done', 'failed', 'expired'),
  model: fc.constantFrom('small', 'large'),
  ...{ fresh: fc.nat(5000), cached: fc.nat(500), output: fc.nat(2000) },
});

/** Prices in US dollars for a million tokens: one provider with batch prices, one without. */
const prices = {
  openai: { '*': { input: 7, output: 9, tiers: { batch: { input: 1, output: 3 } } } },
  anthropic: { '*': { input: 2, output: 6 } },
};

/** Returns the cost in billionths of a US dollar, which is the same with the prices of both providers. */
const toNano = ({ fresh, cached, output }: Line): number => (fresh + cached) * 1000 + output * 3000;

type Provider = keyof typeof prices;

const toName = (at: number): string => `line-${at}`;

const openaiLine = ({ end, model, fresh, cached, output }: Line, at: number): object => {
  const usage = {
    ...{ prompt_tokens: fresh + cached, completion_tokens: output, total_tokens: fresh + cached + output },
    prompt_tokens_details: { cached_tokens: cached },
  };
  const body = end === 'done' ? { model, choices: [], usage } : { error: { message: 'No.' } };
  const response = end === 'expired' ? null : { status_code: end === 'done' ? 200 : 400, request_id: 'r', body };
  return { id: `r${at}`, custom_id: toName(at), response, error: end === 'expired' ? { code: 'batch_expired' } : null };
};

const anthropicLine = ({ end, model, fresh, cached, output }: Line, at: number): object => {
  const usage = { input_tokens: fresh, cache_read_input_tokens: cached, output_tokens: output };
  const message = { id: 'm', type: 'message', role: 'assistant', model, content: [], stop_reason: 'end_turn', usage };
  const results = {
    done: { type: 'succeeded', message },
    failed: { type: 'errored', error: { type: 'error', error: { type: 'invalid_request_error', message: 'No.' } } },
    expired: { type: 'expired' },
  };
  return { custom_id: toName(at), result: results[end] };
};

const jsonLines = (all: readonly object[]): string => all.map((each) => `${JSON.stringify(each)}\n`).join('');

/** Returns the answers of a provider's API about a batch that has ended. */
const answering = (provider: Provider, lines: readonly Line[]) => {
  const named = lines.map((each, at) => ({ each, at }));
  const written = (isDone: boolean): string =>
    jsonLines(named.filter(({ each }) => (each.end === 'done') === isDone).map(({ each, at }) => openaiLine(each, at)));
  const answers: Readonly<Record<Provider, Readonly<Record<string, () => string>>>> = {
    openai: {
      '/v1/batches/b': () =>
        JSON.stringify({ id: 'b', status: 'completed', output_file_id: 'out', error_file_id: 'err' }),
      '/v1/files/out/content': () => written(true),
      '/v1/files/err/content': () => written(false),
    },
    anthropic: {
      '/v1/messages/batches/b': () => JSON.stringify({ id: 'b', processing_status: 'ended' }),
      '/v1/messages/batches/b/results': () => jsonLines(lines.map(anthropicLine)),
    },
  };
  return ({ path }: { readonly path: string }): string => answers[provider][path]?.() ?? '{}';
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Returns the sums that must be recorded for a batch in the end. */
const expected = (lines: readonly Line[]) => {
  const ran = lines.filter(({ end }) => end !== 'expired');
  const used = lines.filter(({ end }) => end === 'done');
  return {
    requests: ran.length,
    input_tokens: sum(used.map(({ fresh, cached }) => fresh + cached)),
    cache_read_tokens: sum(used.map(({ cached }) => cached)),
    output_tokens: sum(used.map(({ output }) => output)),
    nano_usd: sum(used.map(toNano)),
  };
};

const policies = [
  limitPolicy({ id: 'requests', unit: 'requests', conditions: [{ key: 'api_key', values: ['key'], excludes: [] }] }),
  limitPolicy({ id: 'tokens', limit: 1e12, groupBy: ['metadata.team'] }),
  limitPolicy({ id: 'cost', unit: 'nanoUsd', limit: 1e12, groupBy: ['model'] }),
];

const ledgerSums = async ({ db }: Store, tenant: string) => {
  const rows = await db.selectFrom('ledger').selectAll().where('workspace_id', '=', tenant).execute();
  const total = (column: 'requests' | 'input_tokens' | 'cache_read_tokens' | 'output_tokens' | 'nano_usd'): number =>
    sum(rows.map((row) => row[column] ?? 0));
  expect(
    rows.every(({ key_id, metadata, slug }) => key_id === 'key' && metadata.includes('red') && slug === 'account'),
  ).toBe(true);
  return {
    ...{ requests: total('requests'), input_tokens: total('input_tokens'), output_tokens: total('output_tokens') },
    ...{ cache_read_tokens: total('cache_read_tokens'), nano_usd: total('nano_usd') },
  };
};

const clear = (store: Store): Promise<void> =>
  store.write(async (writing) => {
    for (const table of ['ledger_postings', 'ledger_names', 'counters', 'usage_hours', 'usage_labels'] as const)
      await writing.deleteFrom(table).execute();
    for (const table of ['jobs', 'watched_batches', 'provider_batches', 'remote_ids', 'files'] as const)
      await writing.deleteFrom(table).execute();
  });

const fate: fc.Arbitrary<Fate> = fc.record({
  kind: fc.constantFrom('ends before', 'ends after', 'freezes'),
  at: fc.integer({ min: 1, max: 7 }),
});

const testWatching = (open: () => Store): void => {
  it('are charged once for each line and keep each result once, whenever a process ends or freezes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<Provider>('openai', 'anthropic'),
        fc.array(line, { minLength: 1, maxLength: 20 }),
        fate,
        async (provider, lines, what) => {
          const store = open();
          await clear(store);
          const mortal = mortalStore(store, what, 2 * leaseMs);
          const world = await watchWorld({
            ...{ store, folder: temporaryFolder(), provider, prices, policies, answer: answering(provider, lines) },
            processes: [mortal, store],
          });
          try {
            mortal.meet();
            await world.begin('b');
            const state = () => store.db.selectFrom('watched_batches').selectAll().executeTakeFirstOrThrow();
            await expect.poll(async () => (await state()).state, { interval: 10 }).toBe('charged');
            if (what.kind === 'freezes') await new Promise((resolve) => void setTimeout(resolve, 3 * leaseMs));
            const model = expected(lines);
            expect(await ledgerSums(store, world.tenant)).toEqual(model);
            expect(await state()).toMatchObject({
              ...{ input_tokens: model.input_tokens, cached_tokens: model.cache_read_tokens },
              ...{ output_tokens: model.output_tokens, nano_usd: model.nano_usd },
            });
            const counted = await store.db.selectFrom('counters').selectAll().execute();
            const charged = await store.db.selectFrom('ledger_charges').selectAll().execute();
            for (const rows of [counted, charged])
              expect(
                ['requests', 'tokens', 'cost'].map((policy) =>
                  sum(rows.filter((row) => row.policy === policy).map(({ amount }) => amount)),
                ),
              ).toEqual([model.requests, model.input_tokens + model.output_tokens, model.nano_usd]);
            expect(await store.db.selectFrom('jobs').selectAll().execute()).toEqual([]);
            if (provider === 'openai') return;
            const kept = await store.db.selectFrom('provider_batches').selectAll().executeTakeFirstOrThrow();
            const names = async (file: string | null): Promise<readonly string[]> =>
              file === null
                ? []
                : String(await allOf(world.files.read(world.tenant, file)))
                    .trim()
                    .split('\n')
                    .map((each) => JSON.parse(each).custom_id);
            const named = (isDone: boolean) =>
              lines.flatMap(({ end }, at) => ((end === 'done') === isDone ? [toName(at)] : []));
            expect(await names(kept.output_file_id)).toEqual(named(true));
            expect(await names(kept.error_file_id)).toEqual(named(false));
          } finally {
            await world.close();
          }
        },
      ),
      { numRuns: Math.ceil(lawRuns.numRuns / 100) },
    );
  }, 180_000);

  it('are charged for each result, also if several have the same custom_id or none', async () => {
    const store = open();
    await clear(store);
    const names: readonly (string | undefined)[] = ['a', 'a', '', '', undefined, 'line 5', 'a', undefined, 'line 8'];
    const lines = names.map((): Line => ({ end: 'done', model: 'small', fresh: 10, cached: 0, output: 1 }));
    const written = names.map((name, at) => {
      const { custom_id: _, ...result } = openaiLine(lines[at] as Line, at) as { readonly custom_id: string };
      return name === undefined ? result : { ...result, custom_id: name };
    });
    const answer = answering('openai', lines);
    const world = await watchWorld({
      ...{ store, folder: temporaryFolder(), provider: 'openai', prices, policies, processes: [store] },
      answer: (request) => (request.path.includes('/files/out') ? jsonLines(written) : answer(request)),
    });
    try {
      await world.begin('b');
      const state = () => store.db.selectFrom('watched_batches').selectAll().executeTakeFirstOrThrow();
      await expect.poll(async () => (await state()).state, { interval: 10 }).toBe('charged');
      const model = expected(lines);
      expect(await ledgerSums(store, world.tenant)).toEqual(model);
      expect((await state()).nano_usd).toBe(model.nano_usd);
      const counted = await store.db.selectFrom('counters').selectAll().execute();
      expect(
        ['requests', 'tokens', 'cost'].map((policy) =>
          sum(counted.filter((row) => row.policy === policy).map(({ amount }) => amount)),
        ),
      ).toEqual([model.requests, model.input_tokens + model.output_tokens, model.nano_usd]);
    } finally {
      await world.close();
    }
  });

  it('count towards limits when they have ended', async () => {
    const store = open();
    await clear(store);
    const lines: readonly Line[] = [{ end: 'done', model: 'small', fresh: 900, cached: 0, output: 200 }];
    const tokens = limitPolicy({ id: 'few', limit: 1000 });
    const world = await watchWorld({
      ...{ store, folder: temporaryFolder(), provider: 'openai', prices, policies: [tokens] },
      ...{ processes: [store], answer: answering('openai', lines) },
    });
    try {
      await world.begin('b');
      await expect.poll(() => world.used(tokens), { interval: 10 }).toBe(1100);
    } finally {
      await world.close();
    }
  });

  it('are charged to the same counter as requests with the same labels, however long these are', async () => {
    const store = open();
    await clear(store);
    const lines: readonly Line[] = [{ end: 'done', model: 'small', fresh: 900, cached: 0, output: 200 }];
    const [team, long] = ['Zürich', 'x'.repeat(250)];
    const ofLabels = limitPolicy({
      ...{ id: 'labels', limit: 1e12, groupBy: ['metadata.long'] },
      conditions: [{ key: 'metadata.team', values: [team], excludes: [] }],
    });
    const world = await watchWorld({
      ...{ store, folder: temporaryFolder(), provider: 'openai', prices, policies: [ofLabels] },
      ...{ processes: [store], answer: answering('openai', lines), metadata: { team, long } },
    });
    try {
      await world.begin('b');
      await expect.poll(() => world.used(ofLabels), { interval: 10 }).toBe(1100);
      const counters = await store.db.selectFrom('counters').select('bucket').execute();
      expect(counters).toEqual([{ bucket: `metadata.long:${long}` }]);
    } finally {
      await world.close();
    }
  });

  it('are charged to the limits that their key shares, not to those of a later caller', async () => {
    const store = open();
    await clear(store);
    const lines: readonly Line[] = [{ end: 'done', model: 'small', fresh: 900, cached: 0, output: 200 }];
    const [ofMaker, ofOther] = ['maker', 'other'].map((id) =>
      limitPolicy({ id, limit: 1e12, conditions: [{ key: 'api_key', values: [id], excludes: [] }] }),
    ) as [LimitPolicy, LimitPolicy];
    const world = await watchWorld({
      ...{ store, folder: temporaryFolder(), provider: 'openai', prices, policies: [ofMaker, ofOther] },
      ...{ processes: [store], answer: answering('openai', lines) },
    });
    const first = await store.db.selectFrom('keys').selectAll().executeTakeFirstOrThrow();
    const limits = sharingLimits(null, ['maker']);
    const key = { ...first, id: 'key', hash: 'hash', name: 'key', limits };
    await store.write((writing) => writing.insertInto('keys').values(key).execute());
    try {
      world.state.shares = ['other'];
      await world.begin('b');
      await expect.poll(() => world.used(ofMaker), { interval: 10 }).toBe(1100);
      expect(await world.used(ofOther)).toBe(0);
    } finally {
      await world.close();
      await store.write((writing) => writing.deleteFrom('keys').where('id', '=', 'key').execute());
    }
  });

  it('are given up if no caller can request them any more, until somebody does', async () => {
    const store = open();
    await clear(store);
    const world = await watchWorld({
      ...{ store, folder: temporaryFolder(), provider: 'openai', prices, policies: [] },
      ...{ processes: [store], answer: answering('openai', []) },
    });
    const isState = (state: string) =>
      expect
        .poll(async () => (await store.db.selectFrom('watched_batches').select('state').executeTakeFirst())?.state, {
          ...{ interval: 10 },
        })
        .toBe(state);
    try {
      world.state.isRevoked = true;
      await world.begin('b');
      const due = () => store.db.selectFrom('jobs').selectAll().executeTakeFirst();
      await expect.poll(async () => JSON.parse((await due())?.payload ?? '{}').looks, { interval: 10 }).toBe(1);
      await isState('watched');
      await store.write((writing) => writing.updateTable('watched_batches').set({ created_at: 0 }).execute());
      await world.hurry('b');
      await isState('given-up');
      expect(await due()).toBeUndefined();
      world.state.isRevoked = false;
      await world.hurry('b');
      await isState('charged');
    } finally {
      await world.close();
    }
  });

  it('stay watched if the gateway stops while it queries the provider, however old they are', async () => {
    const store = open();
    await clear(store);
    let isStopping = false;
    let closed: Promise<void> | undefined;
    const world = await watchWorld({
      ...{ store, folder: temporaryFolder(), provider: 'openai', prices, policies: [], processes: [store] },
      answer: () => {
        if (isStopping) closed ??= world.close();
        throw gatewayError('stream-cut', {});
      },
    });
    await world.begin('b');
    const due = () => store.db.selectFrom('jobs').selectAll().executeTakeFirst();
    await expect.poll(async () => JSON.parse((await due())?.payload ?? '{}').looks, { interval: 10 }).toBe(1);
    await store.write((writing) => writing.updateTable('watched_batches').set({ created_at: 0 }).execute());
    isStopping = true;
    await world.hurry('b');
    await expect.poll(() => closed !== undefined).toBe(true);
    await closed;
    expect(await store.db.selectFrom('watched_batches').select('state').execute()).toEqual([{ state: 'watched' }]);
    expect(await due()).toBeDefined();
  });
};

it('batches of providers are checked after seconds at first, and after minutes in the end', () => {
  const pauses = Array.from({ length: 100 }, (_, looks) => pauseAfter(looks));
  expect(pauses).toEqual(pauses.toSorted((one, other) => one - other));
  expect([pauses[1], pauses.at(-1)]).toEqual([3000, 300_000]);
});

describe('batches of providers on SQLite', () => {
  let temporary: TemporaryStore;
  beforeAll(async () => {
    temporary = await temporaryStore();
  });
  afterAll(() => temporary[Symbol.asyncDispose]());
  testWatching(() => temporary.store);
});

const programs = postgresFolder();

describe.runIf(programs !== undefined)('batches of providers on PostgreSQL', () => {
  let server: PostgresServer;
  let store: Store;
  beforeAll(async () => {
    server = await startPostgres(programs ?? '');
    store = await openStore({ url: server.url });
  });
  afterAll(async () => {
    await store.close();
    await server.stop();
  });
  testWatching(() => store);
});
