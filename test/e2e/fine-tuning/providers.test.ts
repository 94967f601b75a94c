import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccountsWorld, accountsWorld } from '../../support/vendors/accounts-world.ts';
import { bedrockKeys } from '../../support/vendors/storage/aws-keys.ts';
import { startBedrockTuning } from '../../support/vendors/tuning/bedrock-tuning.ts';
import { startFireworksTuning } from '../../support/vendors/tuning/fireworks-tuning.ts';
import { startOpenaiTuning } from '../../support/vendors/tuning/openai-tuning.ts';
import { tuningAccounts, vertexSettings } from '../../support/vendors/tuning/tuning-accounts.ts';
import { startVertexTuning } from '../../support/vendors/tuning/vertex-tuning.ts';
import { expectedTuning, runTuning } from './support/tuning-script.ts';

describe('fine-tuning with the official client', () => {
  let world: AccountsWorld;
  beforeAll(async () => {
    world = await accountsWorld();
  });
  afterAll(() => world.gateway.stop());

  it.each(tuningAccounts)(
    'works the same at $provider',
    async ({ start, model, trainingFile, more = {}, ...account }) => {
      const vendor = await start();
      const slug = account.provider;
      await world.save({ ...account, slug, origin: vendor.upstream.origin });
      await world.noteFile(slug, trainingFile);
      const client = world.client(slug);
      const done = await runTuning({ client, vendor, model, trainingFile, more });
      expect(done).toEqual(expectedTuning(done.ids));
      await vendor.upstream.close();
    },
  );

  it.each([
    { provider: 'openai', base: '/v1', start: startOpenaiTuning, model: 'gpt-4o-mini' },
    {
      ...{ provider: 'fireworks-ai', start: startFireworksTuning, model: 'llama-v3p1-8b-instruct' },
      settings: { fireworks_account_id: 'ours' },
    },
  ])('copies a file of the gateway into an account at $provider only once', async ({ start, model, ...account }) => {
    const vendor = await start();
    const slug = `${account.provider}-files`;
    await world.save({ ...account, slug, origin: vendor.upstream.origin });
    const client = world.client(slug);
    const file = new File(['{"messages":[]}\n'.repeat(9000)], 'train "1".jsonl');
    const kept = await client.files.create(
      { file, purpose: 'fine-tune' },
      { headers: { 'x-gw-provider': 'gw', 'x-gw-virtual-key': null } },
    );
    const body = {
      model,
      training_file: kept.id,
      validation_file: kept.id,
      suffix: 's',
      method: { type: 'supervised' },
    } as const;
    const [one, two] = await Promise.all([client.fineTuning.jobs.create(body), client.fineTuning.jobs.create(body)]);
    const again = await client.fineTuning.jobs.retrieve(one?.id ?? '');
    expect([one?.training_file, two?.validation_file, again.training_file]).toEqual([kept.id, kept.id, kept.id]);
    const uploads = vendor.upstream.requests.filter(({ body: sent }) =>
      sent.includes('{"messages":[]}\n{"messages":[]}'),
    );
    expect(uploads).toHaveLength(1);
    if (account.provider === 'fireworks-ai') {
      expect([uploads[0]?.method, uploads[0]?.body.toString()]).toEqual(['PUT', await file.text()]);
      return vendor.upstream.close();
    }
    const form = new Request('http://h', {
      method: 'POST',
      headers: { 'content-type': uploads[0]?.header('content-type') ?? '' },
      body: uploads[0]?.body ?? null,
    });
    const sent = (await form.formData()).get('file') as File;
    expect([sent.name, await sent.text()]).toEqual([file.name, await file.text()]);
    await vendor.upstream.close();
  });

  it('pauses and resumes a job of the same account at openai, and no other', async () => {
    const vendor = await startOpenaiTuning();
    const { origin } = vendor.upstream;
    await world.save({ slug: 'pausing', provider: 'openai', base: '/v1', origin });
    await world.save({ slug: 'beside', provider: 'openai', base: '/v1', origin });
    await world.save({ slug: 'never', provider: 'vertex-ai', origin, settings: { cloudb_region: 'europe-west4' } });
    await world.noteFile('pausing', 'file-paused');
    const { jobs } = world.client('pausing').fineTuning;
    const body = { model: 'm', training_file: 'file-paused', suffix: 's', method: { type: 'supervised' } } as const;
    const { id } = await jobs.create(body);
    expect([(await jobs.pause(id)).status, (await jobs.resume(id)).status]).toEqual(['queued', 'running']);
    const before = vendor.upstream.requests.length;
    const tryMove = async (slug: string, move: 'pause' | 'resume') =>
      world
        .client(slug)
        .fineTuning.jobs[move](id)
        .then(
          () => 200,
          ({ status }) => status,
        );
    const moves = ['pause', 'resume'] as const;
    expect(await Promise.all(moves.map((move) => tryMove('beside', move)))).toEqual([404, 404]);
    expect(await Promise.all(moves.map((move) => tryMove('never', move)))).toEqual([501, 501]);
    expect(vendor.upstream.requests).toHaveLength(before);
    await vendor.upstream.close();
  });

  it('requests from openai the page of jobs after the given one', async () => {
    const vendor = await startOpenaiTuning();
    await world.save({ slug: 'paged', provider: 'openai', base: '/v1', origin: vendor.upstream.origin });
    await world.noteFile('paged', 'file-paged');
    const { jobs } = world.client('paged').fineTuning;
    for (let made = 0; made < 3; made += 1)
      await jobs.create({ model: 'm', training_file: 'file-paged', suffix: 's', method: { type: 'supervised' } });
    const [newest] = (await jobs.list({ limit: 1 })).data;
    const before = vendor.upstream.requests.length;
    await jobs.list({ after: newest?.id ?? '' });
    expect(vendor.upstream.requests[before]?.path).toBe(`/v1/fine_tuning/jobs?limit=100&after=${newest?.id}`);
    await vendor.upstream.close();
  });

  it('repeats and loses no job while others are created and deleted between the pages', async () => {
    const vendor = await startOpenaiTuning();
    await world.save({ slug: 'walked', provider: 'openai', base: '/v1', origin: vendor.upstream.origin });
    await world.noteFile('walked', 'file-walked');
    const { jobs } = world.client('walked').fineTuning;
    const body = { model: 'm', training_file: 'file-walked', suffix: 's', method: { type: 'supervised' } } as const;
    const make = async (): Promise<string> => (await jobs.create(body)).id;
    const made: string[] = [];
    for (let at = 0; at < 9; at += 1) made.push(await make());
    // A page has none of these, and clients stop at an empty page.
    const gone = made.slice(3, 6);
    const seen: string[] = [];
    for await (const { id } of await jobs.list({ limit: 2 })) {
      if (seen.length === 0) for (const each of gone) vendor.jobs.delete(each);
      seen.push(id);
      await make();
    }
    expect(seen).toEqual(made.filter((id) => !gone.includes(id)).toReversed());
    await vendor.upstream.close();
  });

  it('lists at most 100 jobs even if more are requested, but forwards the limit of checkpoints', async () => {
    const vendor = await startOpenaiTuning();
    await world.save({ slug: 'long', provider: 'openai', base: '/v1', origin: vendor.upstream.origin });
    await world.noteFile('long', 'file-long');
    const { jobs } = world.client('long').fineTuning;
    const body = { model: 'm', training_file: 'file-long', suffix: 's', method: { type: 'supervised' } } as const;
    const made = [];
    for (let at = 0; at < 101; at += 1) made.push((await jobs.create(body)).id);
    const page = await jobs.list({ limit: 1000 });
    expect([page.data.map(({ id }) => id), page.has_more]).toEqual([made.toReversed().slice(0, 100), true]);
    await jobs.checkpoints.list(made[0] ?? '', { limit: 1000 });
    expect(vendor.upstream.requests.at(-1)?.path).toContain('limit=1000');
    await vendor.upstream.close();
  });

  it('refuses a cursor that is not a checkpoint of the job at vertex-ai', async () => {
    const vendor = await startVertexTuning();
    const settings = { cloudb_region: 'europe-west4', cloudb_project_id: 'our-project' };
    await world.save({ slug: 'steps', provider: 'vertex-ai', origin: vendor.upstream.origin, settings });
    await world.noteFile('steps', 'gs://bucket/steps.jsonl');
    const { jobs } = world.client('steps').fineTuning;
    const body = { model: 'gemini-2.5-flash', training_file: 'gs://bucket/steps.jsonl', suffix: 's' };
    const { id } = await jobs.create({ ...body, method: { type: 'supervised' } });
    await expect(jobs.checkpoints.list(id, { after: 'none' })).rejects.toMatchObject({ status: 400, param: 'after' });
    await vendor.upstream.close();
  });

  const dpo = { type: 'dpo', dpo: { hyperparameters: { n_epochs: 2, beta: 0.1 } } } as const;

  it('trains on preferences at fireworks-ai', async () => {
    const vendor = await startFireworksTuning();
    const { origin } = vendor.upstream;
    await world.save({ slug: 'fire', provider: 'fireworks-ai', origin, settings: { fireworks_account_id: 'ours' } });
    await world.noteFile('fire', 'pairs');
    const { jobs } = world.client('fire').fineTuning;
    const body = { model: 'llama-v3p1-8b-instruct', training_file: 'pairs', suffix: 's' };
    const supervised = await jobs.create({ ...body, method: { type: 'supervised' } });
    const made = await jobs.create({ ...body, method: dpo });
    expect(vendor.upstream.requests.at(-1)?.json()).toEqual({
      ...{ dataset: 'accounts/ours/datasets/pairs', displayName: 's', lossConfig: { method: 'DPO', klBeta: 0.1 } },
      trainingConfig: {
        baseModel: 'accounts/fireworks/models/llama-v3p1-8b-instruct',
        outputModel: 'accounts/ours/models/s',
        epochs: 2,
      },
    });
    expect(made).toMatchObject({ hyperparameters: { n_epochs: 2, beta: 0.1 }, model: 'llama-v3p1-8b-instruct' });
    expect(await jobs.retrieve(made.id)).toEqual({ ...made, _request_id: undefined });
    expect((await jobs.list()).data.map(({ id }) => id).toSorted()).toEqual([made.id, supervised.id].toSorted());
    await expect(jobs.create({ ...body, method: dpo, validation_file: 'pairs' })).rejects.toMatchObject({
      status: 400,
    });
    await vendor.upstream.close();
  });

  it('trains on preferences at vertex-ai', async () => {
    const vendor = await startVertexTuning();
    const settings = { cloudb_region: 'europe-west4', cloudb_project_id: 'our-project' };
    await world.save({ slug: 'pairs', provider: 'vertex-ai', origin: vendor.upstream.origin, settings });
    await world.noteFile('pairs', 'gs://bucket/pairs.jsonl');
    const { jobs } = world.client('pairs').fineTuning;
    const body = { model: 'gemini-2.5-flash', training_file: 'gs://bucket/pairs.jsonl', suffix: 's', method: dpo };
    const made = await jobs.create(body);
    expect(vendor.upstream.requests.at(-1)?.json()).toEqual({
      ...{ baseModel: 'gemini-2.5-flash', tunedModelDisplayName: 's' },
      preferenceOptimizationSpec: {
        trainingDatasetUri: 'gs://bucket/pairs.jsonl',
        hyperParameters: { epochCount: '2', beta: 0.1 },
      },
    });
    expect(made).toMatchObject({ hyperparameters: { n_epochs: 2, beta: 0.1 }, training_file: body.training_file });
    await vendor.upstream.close();
  });

  it.each([
    {
      ...{ provider: 'bedrock', credential: bedrockKeys, start: startBedrockTuning, scheme: 's3' },
      ...{ settings: { cloudc_job_role_arn: 'arn:aws:iam::1:role/jobs' }, header: 'x-gw-cloudc-s3-bucket' },
    },
    {
      ...{ provider: 'vertex-ai', start: startVertexTuning, scheme: 'gs', header: 'x-gw-cloudb-storage-bucket-name' },
      settings: { cloudb_region: 'europe-west4', cloudb_project_id: 'our-project' },
    },
  ])(
    'copies a file of the gateway only once into the bucket that a request names for $provider',
    async ({ start, header, scheme, ...account }) => {
      const vendor = await start();
      const slug = `${account.provider}-files`;
      await world.save({ ...account, slug, origin: vendor.upstream.origin });
      const client = world.client(slug);
      const text = '{"messages":[]}\n'.repeat(9000);
      const kept = await client.files.create(
        { file: new File([text], 'train.jsonl'), purpose: 'fine-tune' },
        { headers: { 'x-gw-provider': 'gw', 'x-gw-virtual-key': null } },
      );
      const body = { model: 'm', training_file: kept.id, suffix: 's', method: { type: 'supervised' } } as const;
      const inBucket = (bucket: string) => client.fineTuning.jobs.create(body, { headers: { [header]: bucket } });
      const jobs = [await inBucket('jobs-bucket'), await inBucket('jobs-bucket')];
      expect(jobs.map(({ training_file: file }) => file)).toEqual([kept.id, kept.id]);
      const uploads = vendor.upstream.requests.filter(({ method }) => method === 'PUT');
      expect(uploads.map((sent) => sent.body.toString())).toEqual([text]);
      const [, made] = vendor.upstream.requests;
      expect(made?.body.toString()).toContain(`"${scheme}:/${uploads[0]?.path}"`);

      await expect(client.fineTuning.jobs.create(body)).rejects.toMatchObject({
        ...{ status: 400, message: expect.stringContaining('No bucket is set') },
      });
      // Another bucket would need its own copy, and this vendor has no such bucket.
      await expect(inBucket('other-bucket')).rejects.toMatchObject({ status: 404 });
      await vendor.upstream.close();
    },
  );

  it.each([
    {
      ...{ provider: 'bedrock', credential: bedrockKeys, start: startBedrockTuning, scheme: 's3' },
      settings: { cloudc_job_role_arn: 'arn:aws:iam::1:role/jobs', cloudc_s3_bucket: 'jobs-bucket' },
    },
    {
      ...{ provider: 'vertex-ai', start: startVertexTuning, scheme: 'gs' },
      settings: { ...vertexSettings, cloudb_storage_bucket_name: 'jobs-bucket' },
    },
  ])('accepts the ids of files that were sent to $provider', async ({ start, scheme, ...account }) => {
    const vendor = await start();
    const slug = `${account.provider}-sent`;
    await world.save({ ...account, slug, origin: vendor.upstream.origin });
    const client = world.client(slug);
    const file = new File(['{"messages":[]}\n'], 'train.jsonl');
    const { id } = await client.files.create({ purpose: 'fine-tune', file });
    const address = decodeURIComponent(id);
    expect(address).toMatch(new RegExp(`^${scheme}://jobs-bucket/`));
    for (const training_file of [id, address]) {
      const body = { model: 'm', suffix: 's', method: { type: 'supervised' } } as const;
      const job = await client.fineTuning.jobs.create({ ...body, training_file, validation_file: training_file });
      expect([job.training_file, job.validation_file]).toEqual([
        address,
        account.provider === 'bedrock' ? null : address,
      ]);
    }
    await vendor.upstream.close();
  });

  it.each([
    {
      ...{ provider: 'bedrock', credential: bedrockKeys, start: startBedrockTuning, scheme: 's3' },
      ...{ settings: { cloudc_region: 'us-east-1' }, more: { role_arn: 'arn:aws:iam::1:role/tuning' } },
    },
    { provider: 'vertex-ai', start: startVertexTuning, scheme: 'gs', settings: vertexSettings, more: {} },
  ])(
    'sends no foreign address to a shared account of $provider, unless unknown ids are allowed',
    async ({ start, scheme, settings, more, ...account }) => {
      const vendor = await start();
      const { origin } = vendor.upstream;
      const [shared, open] = [`${account.provider}-shared`, `${account.provider}-open`];
      await world.save({ ...account, slug: shared, origin, settings });
      await world.save({ ...account, slug: open, origin, settings: { ...settings, unknown_ids: 'allow' } });
      const address = `${scheme}://bucket/of-others.jsonl`;
      const method = { type: 'supervised' } as const;
      const create = (slug: string, training_file: string) =>
        world.client(slug).fineTuning.jobs.create({
          ...{ model: 'm', suffix: 's', training_file, method },
          ...more,
        });
      for (const spelling of [address, encodeURIComponent(address), `${scheme}%3A//bucket/of-others.jsonl`])
        await expect(create(shared, spelling)).rejects.toMatchObject({
          status: 400,
          message: expect.stringContaining('There is no file'),
        });
      expect(vendor.upstream.requests).toEqual([]);
      for (const spelling of [address, encodeURIComponent(address)])
        expect((await create(open, spelling)).training_file).toBe(address);
      await vendor.upstream.close();
    },
  );
});
