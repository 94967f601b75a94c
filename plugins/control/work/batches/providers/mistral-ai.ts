import { isSuccess } from '../../../../../schema/http/status.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { findNumber, findObject, findText, toObjects } from '../../../../../schema/json/loose.ts';
import type { Account } from '../../accounts/account.ts';
import { ask } from '../../accounts/ask.ts';
import { uploadFile } from '../../accounts/upload-file.ts';
import { isOver } from '../batch/batch-status.ts';
import { answered, type LineResult, toLineName, unanswered } from '../lines/line-result.ts';
import { jsonLines } from '../lines/read-lines.ts';
import type { BatchAdapter, BatchContext, BatchInput, BatchStatus, RemoteBatch } from './batch-adapter.ts';
import { batchErrors, readPresent } from './read-present.ts';

const chats = '/v1/chat/completions';
const jobs = '/batch/jobs';

const at = (id: string, rest = ''): string => `${jobs}/${encodeURIComponent(id)}${rest}`;

const states: Readonly<Record<string, BatchStatus>> = {
  QUEUED: 'validating',
  RUNNING: 'in_progress',
  SUCCESS: 'completed',
  FAILED: 'failed',
  TIMEOUT_EXCEEDED: 'expired',
  CANCELLATION_REQUESTED: 'cancelling',
  CANCELLED: 'cancelled',
};

/** https://docs.mistral.ai/api/#tag/batch */
const readBatch = (raw: JsonObject): RemoteBatch => {
  const status = states[findText(raw.status) ?? ''] ?? 'in_progress';
  return {
    id: findText(raw.id) ?? '',
    status,
    raw,
    counts: {
      total: findNumber(raw.total_requests) ?? 0,
      completed: findNumber(raw.succeeded_requests) ?? 0,
      failed: findNumber(raw.failed_requests) ?? 0,
    },
    members: readPresent({
      created_at: findNumber(raw.created_at) ?? null,
      in_progress_at: findNumber(raw.started_at) ?? null,
      ...(isOver({ status }) ? { [`${status}_at`]: findNumber(raw.completed_at) ?? null } : {}),
      ...batchErrors(toObjects(raw.errors).map(({ message }) => findText(message) ?? 'The batch failed.')),
    }),
  };
};

/** The model is the job's, and not the lines'. */
async function* inputLines({ lines, endpoint }: BatchInput, { codec }: BatchContext): AsyncGenerator<Buffer> {
  for await (const { customId, body } of lines()) {
    const { model: _, ...rest } = endpoint === chats ? codec.request(body) : body;
    yield Buffer.from(`${JSON.stringify({ custom_id: customId, body: rest })}\n`);
  }
}

const readResult = (line: JsonObject, { raw, members }: RemoteBatch, { codec }: BatchContext): LineResult => {
  const name = toLineName(findText(line.custom_id) ?? '');
  const response = findObject(line.response);
  if (response !== undefined) {
    const status = findNumber(response.status_code) ?? 200;
    const completion = findObject(response.body);
    const own = { ...name, created: findNumber(members.created_at) ?? 0, model: findText(raw.model) };
    const converted = (wire: JsonObject): JsonObject =>
      isSuccess(status) ? codec.answer(wire, own) : codec.error(wire, status, own.model);
    const body = completion === undefined || raw.endpoint !== chats ? response.body : converted(completion);
    return answered(name, { status, body: body ?? null });
  }
  const { message } = findObject(line.error) ?? {};
  return unanswered(name, {
    code: 'provider_error',
    message: findText(message) ?? findText(line.error) ?? 'The request failed.',
  });
};

const retrieve = async (id: string, account: Account): Promise<RemoteBatch> =>
  readBatch(await ask(account, { method: 'GET', path: at(id) }));

/** Batch jobs: https://docs.mistral.ai/capabilities/batch/ */
export const mistralBatches: BatchAdapter = {
  endpoints: [chats, '/v1/embeddings'],
  hasOneModel: true,
  async create(input, context) {
    const { account } = context;
    const lines = { filename: 'batch.jsonl', bytes: undefined, read: () => inputLines(input, context) };
    const file = await uploadFile(account, lines, 'batch');
    const body = {
      ...{ input_files: [file], endpoint: input.endpoint, model: input.model ?? '', timeout_hours: 24 },
      ...(input.metadata === undefined ? {} : { metadata: input.metadata }),
    };
    return readBatch(await ask(account, { method: 'POST', path: jobs, body }));
  },
  retrieve: (id, { account }) => retrieve(id, account),
  cancel: async (id, { account }) => readBatch(await ask(account, { method: 'POST', path: at(id, '/cancel') })),
  async *results(batch, context) {
    const { raw } = batch;
    for (const file of [findText(raw.output_file), findText(raw.error_file)]) {
      if (file === undefined) continue;
      const request = { method: 'GET', path: `/files/${encodeURIComponent(file)}/content` };
      for await (const line of jsonLines(context.account, request)) yield readResult(line, batch, context);
    }
  },
};
