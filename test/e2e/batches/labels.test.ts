import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { control } from '../../support/gateways/stored-gateway.ts';
import { type AccountsWorld, accountsWorld } from '../../support/vendors/accounts-world.ts';
import { startOpenaiBatches } from '../../support/vendors/batches/openai-batches.ts';

let world: AccountsWorld;
beforeAll(async () => {
  world = await accountsWorld();
});
afterAll(() => world.gateway.stop());

const line = `${JSON.stringify({
  ...{ custom_id: 'one', method: 'POST', url: '/v1/chat/completions' },
  body: { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 50 },
})}\n`;

/** Headers carry bytes; clients send UTF-8. */
const inBytes = (text: string): string => Buffer.from(text).toString('latin1');

it('refuses a batch for its provider without a label that calls require', async () => {
  const vendor = await startOpenaiBatches();
  const metadata = { team: { type: 'string', required: true, enforce: true } };
  const strict = await accountsWorld({}, { metadata });
  onTestFinished(() => strict.gateway.stop());
  await strict.save({ slug: 'openai', provider: 'openai', base: '/v1', origin: vendor.upstream.origin });
  const client = strict.client('openai');
  const file = await client.files.create(
    { file: new File([line], 'in.jsonl'), purpose: 'batch' },
    { headers: { 'x-gw-provider': 'gw', 'x-gw-virtual-key': null } },
  );
  const create = (headers: Record<string, string> = {}) =>
    client.batches.create(
      { endpoint: '/v1/chat/completions', completion_window: '24h', input_file_id: file.id },
      { headers },
    );
  await expect(create()).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('lacks the label "team"'),
  });
  expect(vendor.upstream.requests).toEqual([]);
  expect(await create({ baggage: 'team=blue' })).toMatchObject({ object: 'batch' });
});

it.each([
  // The gateway also uploads the file, and creates the batch.
  ['by its provider', '24h', { requests: 3, reported: 1 }],
  ['by the gateway', 'immediate', { requests: 1 }],
])('gives a batch that is run %s the labels that a call with the same headers has', async (_, window, sums) => {
  const vendor = await startOpenaiBatches();
  const slug = `openai-${window}`;
  await world.save({ slug, provider: 'openai', base: '/v1', origin: vendor.upstream.origin });
  const client = world.client(slug);
  const file = await client.files.create(
    { file: new File([line], 'in.jsonl'), purpose: 'batch' },
    { headers: { 'x-gw-provider': 'gw', 'x-gw-virtual-key': null } },
  );
  await client.batches.create(
    { endpoint: '/v1/chat/completions', completion_window: window as '24h', input_file_id: file.id },
    {
      headers: {
        'x-gw-metadata': inBytes(JSON.stringify({ city: `Zürich ${window}`, team: slug })),
        baggage: `team=other,region=${window}-north,city=Bern`,
      },
    },
  );
  vendor.finish();
  const labels = [`team=${slug}`, `city=Zürich ${window}`, `region=${window}-north`];
  const used = async (): Promise<readonly unknown[]> => {
    const reports = labels.map((label) => control(world.gateway, `GET /usage?metadata=${encodeURIComponent(label)}`));
    return (await Promise.all(reports)).map(({ summary }) => summary);
  };
  await expect.poll(used, { interval: 50 }).toMatchObject(labels.map(() => sums));
});
