import { type GatewayError, gatewayError } from '../../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { toObjects } from '../../../../../schema/json/loose.ts';
import { memberProblem, refuse } from '../../../kernel/requests/refusals.ts';
import { requestJson } from '../../provider-requests/request-json.ts';
import { uploadFile } from '../../provider-requests/upload-file.ts';
import { bedrockTuning } from './bedrock.ts';
import type { JobPage, Listed, TuningExecutor } from './executor.ts';
import { fireworksTuning } from './fireworks-ai.ts';
import { vertexTuning } from './vertex-ai.ts';

const jobs = '/fine_tuning/jobs';

const toQuery = ({ after, limit }: JobPage): string =>
  `?${new URLSearchParams({ limit: String(limit), ...(after === undefined ? {} : { after }) })}`;

const listed = ({ data, has_more: more }: JsonObject): Listed => ({ data: toObjects(data), hasMore: more === true });

const at = (id: string, rest = ''): string => `${jobs}/${encodeURIComponent(id)}${rest}`;

/** OpenAI, and Azure, which has the same API: https://platform.openai.com/docs/api-reference/fine-tuning */
const nativeTuning: TuningExecutor = {
  kind: 'native',
  async create(body, account) {
    const message = `${account.provider} does not support "role_arn" for fine-tuning jobs.`;
    if (body.role_arn !== undefined) refuse([memberProblem('role_arn', message, 'Omit it.')]);
    return requestJson(account, { method: 'POST', path: jobs, body: { ...body } as JsonObject });
  },
  retrieve: (id, account) => requestJson(account, { method: 'GET', path: at(id) }),
  cancel: (id, account) => requestJson(account, { method: 'POST', path: at(id, '/cancel') }),
  pause: (id, account) => requestJson(account, { method: 'POST', path: at(id, '/pause') }),
  resume: (id, account) => requestJson(account, { method: 'POST', path: at(id, '/resume') }),
  recent: async (account, after) =>
    listed(await requestJson(account, { method: 'GET', path: jobs + toQuery({ after, limit: 100 }) })).data,
  checkpoints: async (id, page, account) =>
    listed(await requestJson(account, { method: 'GET', path: at(id, `/checkpoints${toQuery(page)}`) })),
  events: async (id, page, account) =>
    listed(await requestJson(account, { method: 'GET', path: at(id, `/events${toQuery(page)}`) })),
  upload: (file, account) => uploadFile(account, file, 'fine-tune'),
};

/** The providers that have fine-tuning. */
export const tuningExecutors: ReadonlyMap<string, TuningExecutor> = new Map([
  ['azure-openai', nativeTuning],
  ['bedrock', bedrockTuning],
  ['fireworks-ai', fireworksTuning],
  ['openai', nativeTuning],
  ['vertex-ai', vertexTuning],
]);

/** Creates the error for jobs that a provider does not support. */
export const noSuchJobs = (
  provider: string,
  what: string,
  has: (executor: TuningExecutor) => boolean = () => true,
): GatewayError => {
  const those = [...tuningExecutors].filter(([, executor]) => has(executor)).map(([name]) => name);
  return gatewayError('no-such-jobs', { provider, what, those: those.sort().join(', ') });
};

/** Finds the executor of a provider. Throws the `GatewayError` `no-such-jobs` if it has no fine-tuning. */
export const tuningAt = (provider: string): TuningExecutor => {
  const executor = tuningExecutors.get(provider);
  if (executor === undefined) throw noSuchJobs(provider, 'fine-tuning jobs');
  return executor;
};
