import type { JsonObject } from '../../../../../schema/json/json.ts';
import { toObjects } from '../../../../../schema/json/loose.ts';
import { memberProblem, refuse } from '../../../kernel/requests/refusals.ts';
import { ask } from '../../accounts/ask.ts';
import { uploadFile } from '../../accounts/upload-file.ts';
import type { JobPage, Listed, TuningExecutor } from './executor.ts';

const jobs = '/fine_tuning/jobs';

const toQuery = ({ after, limit }: JobPage): string =>
  `?${new URLSearchParams({ limit: String(limit), ...(after === undefined ? {} : { after }) })}`;

const listed = ({ data, has_more: more }: JsonObject): Listed => ({ data: toObjects(data), hasMore: more === true });

const at = (id: string, rest = ''): string => `${jobs}/${encodeURIComponent(id)}${rest}`;

/** OpenAI, and Azure, which has the same: https://platform.openai.com/docs/api-reference/fine-tuning */
export const nativeTuning: TuningExecutor = {
  kind: 'native',
  async create(body, account) {
    const message = `${account.provider} has no "role_arn" of fine-tuning jobs.`;
    if (body.role_arn !== undefined) refuse([memberProblem('role_arn', message, 'Leave it out.')]);
    return ask(account, { method: 'POST', path: jobs, body: { ...body } as JsonObject });
  },
  retrieve: (id, account) => ask(account, { method: 'GET', path: at(id) }),
  cancel: (id, account) => ask(account, { method: 'POST', path: at(id, '/cancel') }),
  pause: (id, account) => ask(account, { method: 'POST', path: at(id, '/pause') }),
  resume: (id, account) => ask(account, { method: 'POST', path: at(id, '/resume') }),
  recent: async (account) => listed(await ask(account, { method: 'GET', path: jobs + toQuery({ limit: 100 }) })).data,
  checkpoints: async (id, page, account) =>
    listed(await ask(account, { method: 'GET', path: at(id, `/checkpoints${toQuery(page)}`) })),
  events: async (id, page, account) =>
    listed(await ask(account, { method: 'GET', path: at(id, `/events${toQuery(page)}`) })),
  isFileId: () => true,
  upload: (file, account) => uploadFile(account, file, 'fine-tune'),
};
