import { resources } from '../../../../plugins/control/resources.ts';
import { toNewBody } from '../../../plugins/control/support/resource-bodies.ts';
import { saveFileAndBatch, saveTuningJob } from './file-and-batch.ts';
import type { Tenant, TenantWorld } from './tenant-world.ts';

/** The names of a tenant's records, by the path that takes them. */
export interface Records {
  readonly [stem: string]: readonly string[];
}

/** Returns the ids in an answer. */
const idsIn = (answer: object): readonly string[] =>
  JSON.stringify(answer).match(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g) ?? [];

/** The resources that can be saved without a reference to another record of the tenant. */
const byMembers = resources.filter(
  ({ path }) => !['/workspaces', '/integrations', '/providers', '/virtual-keys', '/guardrails'].includes(path),
);

/** Returns the path that names a record of a resource. */
const toStem = ({ path, params }: (typeof resources)[number]): string =>
  `${path}/{${Object.keys(params.properties)[0]}}`;

/** Saves one record of each kind for a tenant. Slugs and names begin with `name`. */
export const saveAll = async (
  { done, origin }: Pick<TenantWorld, 'done' | 'origin'>,
  tenant: Tenant,
  name: string,
): Promise<Records> => {
  const { id: workspace, key, admin, credential, upstream } = tenant;
  const post = async (path: string, body: object, by = key): Promise<readonly string[]> => {
    const { id, data } = await done(`POST /v1${path}`, { key: by, body: { name: `${name} thing`, ...body } });
    const slug = 'slug' in body ? [String(body.slug)] : [];
    return [id ?? data?.id, ...slug].filter((each) => each !== undefined);
  };
  const slug = (kind: string): { readonly slug: string } => ({ slug: `${name}-${kind}` });
  const destination = { provider: 'openai', settings: { custom_host: `${upstream.origin}/v1` } };
  const own = { ...destination, credential: { api_key: credential } };
  const workspaces = { workspaces: [workspace] };
  const integrations = await post('/integrations', { ...own, ...slug('integration'), ...workspaces }, admin);
  const providers = await post('/providers', { ...own, ...slug('provider') });
  const virtualKeys = await post('/virtual-keys', { ...own, ...slug('virtual-key') });
  const checks = [{ id: 'contains', parameters: { words: [`${name}-word`], operator: 'none' } }];
  const guardrails = await post('/guardrails', { checks, actions: { deny: true }, ...slug('guardrail') });
  const config = { provider: `@${name}-provider`, input_guardrails: [`${name}-guardrail`] };
  const configs = await post('/configs', { config, ...slug('config') });
  const partials = await post('/prompts/partials', { string: `Be ${name}.`, ...slug('partial') });
  await post('/prompts/partials', { string: 'Be.', ...slug('outer') });
  const described: { [stem: string]: readonly string[] } = {};
  for (const resource of byMembers) {
    const { path, noun, naming } = resource;
    const own = naming === undefined ? {} : { [naming]: `${name}-${noun.replaceAll(' ', '-')}` };
    const called = Object.hasOwn(resource.members, 'name') ? `${name} thing` : undefined;
    const ids = await post(path, { ...toNewBody(resource), name: called, ...own });
    described[toStem(resource)] = [...new Set([...ids, ...Object.values(own)])];
  }
  const string = JSON.stringify([{ role: 'user', content: `Greet ${name}. {{>${name}-partial}}` }]);
  const prompt = {
    string,
    parameters: {},
    virtual_key: `${name}-virtual-key`,
    collection_id: described['/collections/{id}']?.[0],
  };
  const prompts = await post('/prompts', { ...prompt, ...slug('prompt') });
  await done(`PUT /v1/prompts/${name}-prompt/labels`, { key, body: { label: `${name}-label`, version: 1 } });
  const limited = { conditions: [{ key: 'config', value: `${name}-config` }], group_by: [{ key: 'api_key' }] };
  const budgets = await post('/policies/usage-limits', { ...limited, type: 'tokens', credit_limit: 1_000_000 });
  const rates = await post('/policies/rate-limits', { ...limited, type: 'requests', unit: 'rpd', value: 1_000_000 });
  const keys = await post('/api-keys/workspace/service', { workspace_id: workspace, scopes: ['completions.write'] });
  const sent = { request: { url: '/x', body: {} }, response: { body: {} }, metadata: { team: name, trace_id: name } };
  const logs = await done('POST /v1/logs', { key, body: sent });
  const feedback = await done('POST /v1/feedback', {
    key,
    body: { trace_id: name, value: 1 },
  });
  await post('/providers', { provider: 'echo', ...slug('echo') });
  const asked = { model: `@${name}-echo/m`, input: `${name} text`, store: true };
  const response = await done('POST /v1/responses', { key, body: asked });
  const [file, batch] = await saveFileAndBatch(origin, tenant, name);
  const tuning = await saveTuningJob(origin, tenant, { name, file });
  return {
    ...described,
    '/fine_tuning/jobs/{fine_tuning_job_id}': [tuning],
    '/files/{id}': [file],
    '/batches/{id}': [batch],
    '/responses/{id}': [response.id],
    '/logs/{id}': idsIn(logs),
    '/feedback/{id}': idsIn(feedback),
    '/workspaces/{workspace}': [workspace],
    '/api-keys/{id}': keys,
    '/integrations/{slug}': integrations.slice(-1),
    '/providers/{slug}': providers.slice(-1),
    '/virtual-keys/{slug}': virtualKeys.slice(-1),
    '/configs/{slug}': configs,
    '/guardrails/{slug}': guardrails,
    '/prompts/partials/{id}': partials,
    '/prompts/{id}': prompts,
    '/policies/usage-limits/{id}': budgets,
    '/policies/rate-limits/{id}': rates,
  };
};
