import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batchAdapters } from '../../plugins/control/work/batches/providers/adapters.ts';
import { tuningExecutors } from '../../plugins/control/work/fine-tuning/executors/executors.ts';
import { providerFileStores } from '../../plugins/control/work/provider-files/stores.ts';
import { caseSeed, Random } from '../fuzz/support/random.ts';
import { type AccountsWorld, accountsWorld, type SavedAccount } from '../support/vendors/accounts-world.ts';
import { batchAccounts } from '../support/vendors/batches/batch-accounts.ts';
import { tuningAccounts } from '../support/vendors/tuning/tuning-accounts.ts';
import { batchCase, toLines } from './run/batch-case.ts';
import { type Case, runCase } from './run/case.ts';
import { type Client, credential, openClient } from './run/client.ts';
import { FaultyVendor } from './run/faulty-vendor.ts';
import { fileAccounts } from './run/file-accounts.ts';
import { fileCase } from './run/file-case.ts';
import { runs, seed } from './run/settings.ts';
import { tuningCase } from './run/tuning-case.ts';

const timeout = 120_000 + runs * 20_000;

let world: AccountsWorld;
let client: Client;
beforeAll(async () => {
  world = await accountsWorld();
  client = await openClient(world.gateway);
});
afterAll(() => world.gateway.stop());

/** Saves an account and runs its cases, each with its own seed. */
const runCases = async (
  account: SavedAccount,
  vendor: FaultyVendor,
  script: (given: Case) => Promise<void>,
): Promise<readonly string[]> => {
  const { slug, provider, origin, base, settings, credential: keys } = account;
  await world.save({
    ...{ slug, provider, origin },
    ...(base === undefined ? {} : { base }),
    ...(settings === undefined ? {} : { settings }),
    ...(keys === undefined ? {} : { credential: keys }),
  });
  const found: string[] = [];
  for (let number = 0; number < runs && found.length < 5; number += 1)
    found.push(...(await runCase({ vendor, client, random: new Random(caseSeed(seed, number)) }, script)));
  await vendor.close();
  return found;
};

const expectNone = (found: readonly string[]): void =>
  expect(found, `ANSWER_SEED=${seed} ANSWER_RUNS=${runs}\n\n${found.join('\n\n')}`).toHaveLength(0);

describe('the gateway, whatever a provider answers', () => {
  it.concurrent.each(batchAccounts)(
    'watches and shows batches at $provider with $model',
    async (account) => {
      const { start, slug = account.provider } = account;
      const { upstream, finish, ...more } = await start();
      const vendor = new FaultyVendor('storage' in more ? [upstream, more.storage as never] : [upstream]);
      const own = `batches-${slug}`;
      const headers = { 'x-gw-provider': 'gw', 'x-gw-virtual-key': null };
      expectNone(
        await runCases({ ...account, slug: own, origin: upstream.origin }, vendor, async (given) => {
          // Each case has a file of its own: the gateway copies a file to an account once, and a wrong answer may name the copy.
          const file = new File([toLines(account)], 'in.jsonl');
          const kept = await world.client(own).files.create({ file, purpose: 'batch' }, { headers });
          await batchCase(given, { slug: own, input: kept.id, finish });
        }),
      );
    },
    timeout,
  );

  it.concurrent.each(tuningAccounts)(
    'watches and shows fine-tuning jobs at $provider',
    async (account) => {
      const { upstream, finish } = await account.start();
      const slug = `tuning-${account.provider}`;
      await world.noteFile(slug, account.trainingFile);
      expectNone(
        await runCases({ ...account, slug, origin: upstream.origin }, new FaultyVendor([upstream]), (given) =>
          tuningCase(given, { slug, account, finish }),
        ),
      );
    },
    timeout,
  );

  it.concurrent.each(fileAccounts)(
    'stores and shows files at $provider',
    async ({ start, purpose, ...account }) => {
      const upstreams = await start();
      const slug = `files-${account.provider}`;
      expectNone(
        await runCases({ ...account, slug, origin: upstreams[0].origin }, new FaultyVendor(upstreams), (given) =>
          fileCase(given, { slug, purpose, isPassed: account.provider === 'openai' }),
        ),
      );
    },
    timeout,
  );
});

describe('the gateway, after all these answers', () => {
  it('has printed no internal error and no credential', () => {
    expect(world.gateway.printed()).not.toContain(credential);
    expect(
      world.gateway
        .printed()
        .match(/^.*(?:failed, and runs again|internal-error|(?:Type|URI|Range|Reference)Error).*$/gm),
    ).toBeNull();
  });

  it('has been tried with every provider of batches, fine-tuning jobs or files', () => {
    const names = (rows: readonly { readonly provider: string }[]) => rows.map(({ provider }) => provider);
    expect(names(batchAccounts)).toEqual(expect.arrayContaining([...batchAdapters.keys()]));
    expect(names(tuningAccounts)).toEqual(expect.arrayContaining([...tuningExecutors.keys()]));
    expect(names(fileAccounts)).toEqual(expect.arrayContaining([...providerFileStores.keys()]));
  });
});
