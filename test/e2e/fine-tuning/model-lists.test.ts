import { expect, it, onTestFinished } from 'vitest';
import { control } from '../../support/gateways/stored-gateway.ts';
import { startUpstream } from '../../support/servers/upstream-server.ts';
import { accountsWorld } from '../../support/vendors/accounts-world.ts';
import { caller, forUs, toForm } from '../files/support.ts';

const providers = ['openai', 'azure-openai', 'fireworks-ai'];

it('creates jobs only for models that the integration allows, and otherwise sends nothing', async () => {
  const upstream = await startUpstream((call) => call.json({ id: 'ftjob-1', object: 'fine_tuning.job' }));
  onTestFinished(() => upstream.close());
  const { gateway } = await accountsWorld();
  onTestFinished(() => gateway.stop());
  const form = toForm([
    ['purpose', 'fine-tune'],
    ['file', Buffer.from('{"messages":[]}\n')],
  ]);
  const uploaded: unknown = await (await caller(gateway)('POST /v1/files', { headers: forUs, body: form })).json();
  const file = typeof uploaded === 'object' && uploaded !== null && 'id' in uploaded ? String(uploaded.id) : '';
  for (const slug of providers) {
    const settings = { custom_host: `${upstream.origin}/v1` };
    const models = [{ slug: 'good', enabled: true }];
    await control(gateway, 'POST /integrations', {
      body: { name: slug, slug, provider: slug, key: 'sk', settings, models, allow_all_models: false },
    });
    await control(gateway, 'POST /providers', { body: { name: slug, slug, integration_id: slug } });
    const ask = async (body: object) => {
      const answer = await caller(gateway)('POST /v1/fine_tuning/jobs', {
        headers: { 'x-gw-virtual-key': `@${slug}`, 'content-type': 'application/json' },
        body: JSON.stringify({ training_file: file, suffix: 's', method: { type: 'supervised' }, ...body }),
      });
      return { status: answer.status, text: await answer.text() };
    };
    const grader = { type: 'score_model', model: 'bad' };
    expect(await ask({ model: 'bad' })).toMatchObject({ status: 403, text: expect.stringContaining('"bad\\"') });
    expect(await ask({ model: 'good', method: { type: 'reinforcement', reinforcement: { grader } } })).toMatchObject({
      status: 403,
    });
    expect(upstream.requests).toEqual([]);
  }
});
