import OpenAI from 'openai';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startUpstream } from '../../support/servers/upstream-server.ts';
import { type AccountsWorld, accountsWorld } from '../../support/vendors/accounts-world.ts';

let world: AccountsWorld;
beforeAll(async () => {
  world = await accountsWorld();
});
afterAll(() => world.gateway.stop());

const file = new File(['{"messages":[]}\n'], 'train.jsonl');

/** A server that numbers files and jobs, each from 1. */
const startCounting = () => {
  const made = new Map<string, object>();
  const counts = { files: 0, jobs: 0 };
  return startUpstream((call) => {
    const { method, path } = call.request;
    const id = path.split('/').at(-1) ?? '';
    const make = (thing: { readonly id: string }): void => {
      made.set(thing.id, thing);
      call.json(thing);
    };
    if (method === 'POST' && id === 'files') {
      counts.files += 1;
      const about = { object: 'file', bytes: 1, created_at: 1, filename: 'train.jsonl', purpose: 'fine-tune' };
      return make({ id: `file-${counts.files}`, ...about });
    }
    if (method === 'POST') {
      counts.jobs += 1;
      return make({ ...call.request.json(), id: `ftjob-${counts.jobs}`, object: 'fine_tuning.job', status: 'queued' });
    }
    const found = made.get(id);
    if (method === 'DELETE') made.delete(id);
    return call.json(found ?? { error: { message: 'Gone.' } }, { status: found === undefined ? 404 : 200 });
  });
};

/** Two accounts of one workspace, with servers that number their files and jobs separately. */
const twoAccounts = (name: string) =>
  Promise.all(
    ['one', 'two'].map(async (end) => {
      const server = await startCounting();
      const slug = `${name}-${end}`;
      await world.save({ slug, provider: 'openai', origin: server.origin, base: '/v1' });
      return { server, client: world.client(slug) };
    }),
  );

it('keeps files apart if two accounts give them the same id', async () => {
  const accounts = await twoAccounts('files');
  const make = ({ client }: { readonly client: OpenAI }) => client.files.create({ file, purpose: 'fine-tune' });
  for (const account of accounts) expect(await make(account)).toMatchObject({ id: 'file-1' });
  for (const { client } of accounts) expect(await client.files.retrieve('file-1')).toMatchObject({ id: 'file-1' });
  const [one, two] = accounts;
  await one?.client.files.delete('file-1');
  await expect(one?.client.files.retrieve('file-1')).rejects.toThrow(OpenAI.NotFoundError);
  expect(await two?.client.files.retrieve('file-1')).toMatchObject({ id: 'file-1' });
  await two?.client.files.delete('file-1');
  await expect(two?.client.files.retrieve('file-1')).rejects.toThrow(OpenAI.NotFoundError);
  for (const { server } of accounts) await server.close();
});

it('keeps jobs and copies of files apart if two accounts give them the same id', async () => {
  const accounts = await twoAccounts('jobs');
  const headers = { 'x-gw-provider': 'gw', 'x-gw-virtual-key': null };
  const kept: string[] = [];
  for (const { client } of accounts) {
    const { id } = await client.files.create({ file, purpose: 'fine-tune' }, { headers });
    kept.push(id);
    await client.fineTuning.jobs.create({
      ...{ model: 'gpt-4o-mini', training_file: id, suffix: 'ours', method: { type: 'supervised' } },
    });
  }
  for (const [at, { client }] of accounts.entries()) {
    const job = { id: 'ftjob-1', training_file: kept[at] };
    expect(await client.fineTuning.jobs.retrieve('ftjob-1')).toMatchObject(job);
    expect((await client.fineTuning.jobs.list()).data).toMatchObject([job]);
  }
  for (const { server } of accounts) await server.close();
});
