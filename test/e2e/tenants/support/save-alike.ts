import type { Tenant, TenantWorld } from './tenant-world.ts';

/** Saves records for a tenant under the names that other tenants use too, with its own credential, texts and words. */
export const saveAlike = async (
  { done }: Pick<TenantWorld, 'done'>,
  { key, credential, upstream }: Pick<Tenant, 'key' | 'credential' | 'upstream'>,
  word: string,
): Promise<void> => {
  const post = (path: string, body: object) => done(`POST /v1${path}`, { key, body: { name: 'alike', ...body } });
  const own = {
    provider: 'openai',
    settings: { custom_host: `${upstream.origin}/v1` },
    credential: { api_key: credential },
  };
  await post('/providers', { ...own, slug: 'main' });
  await post('/virtual-keys', { ...own, slug: 'vk' });
  const checks = [{ id: 'contains', parameters: { words: [word], operator: 'none' } }];
  await post('/guardrails', { slug: 'guard', checks, actions: { deny: true } });
  const model = { override_params: { model: 'm' } };
  await post('/configs', { slug: 'app', config: { provider: '@main', ...model }, is_default: true });
  await post('/configs', { slug: 'guarded', config: { virtual_key: 'vk', input_guardrails: ['guard'] } });
  await post('/configs', { slug: 'open', config: { retry: { attempts: 1 } } });
  await post('/prompts/partials', { slug: 'rules', string: `Say ${word}.` });
  const string = JSON.stringify([{ role: 'user', content: '{{>rules}}' }]);
  await post('/prompts', { slug: 'greet', string, parameters: { model: 'm' }, virtual_key: 'vk' });
  await post('/labels', { name: 'live' });
  await done('PUT /v1/prompts/greet/labels', { key, body: { label: 'live', version: 1 } });
};
