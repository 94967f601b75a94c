import { isSuccess } from '../../../../../schema/http/status.ts';
import { exactText } from '../../../../../schema/json/exact-numbers.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { findNumber, findObject, findText, toObjects } from '../../../../../schema/json/loose.ts';
import { errorText } from '../../../../../schema/text/error-text.ts';
import { findId, readStatus, readWord, toEpochSeconds } from '../../provider-requests/read-values.ts';
import { requestJson } from '../../provider-requests/request-json.ts';
import { uploadFile } from '../../provider-requests/upload-file.ts';
import { jsonLines, resultOfResponse, resultWithoutResponse, toLineName } from '../batch/batch-lines.ts';
import {
  type BatchAdapter,
  type BatchContext,
  type BatchInput,
  type BatchStatus,
  failedResult,
  type RemoteBatch,
  toRemoteBatch,
} from './batch-adapter.ts';

const chats = '/v1/chat/completions';
/** The endpoint that receives lines with chats if the account is for fill-in-the-middle. */
const fim = '/v1/fim/completions';
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
const readBatch = (raw: JsonObject): RemoteBatch =>
  toRemoteBatch({
    id: findText(raw.id) ?? '',
    status: readWord(states, raw.status) ?? 'in_progress',
    raw,
    counts: { total: raw.total_requests, completed: raw.succeeded_requests, failed: raw.failed_requests },
    members: {
      created_at: toEpochSeconds(raw.created_at) ?? null,
      in_progress_at: toEpochSeconds(raw.started_at) ?? null,
    },
    changedAt: toEpochSeconds(raw.completed_at) ?? null,
    reasons: toObjects(raw.errors).map(({ message }) => message),
  });

/** Writes the lines without a model, because the job has it. */
async function* inputLines({ lines, endpoint }: BatchInput, { codec }: BatchContext): AsyncGenerator<Buffer> {
  for await (const { customId, body } of lines()) {
    const { model: _, ...rest } = endpoint === chats ? codec.request(body) : body;
    yield Buffer.from(`${exactText({ custom_id: customId, body: rest })}\n`);
  }
}

const toResult: BatchAdapter['toResult'] = (line, { raw, members }, codec) => {
  const name = toLineName(line.custom_id);
  const response = findObject(line.response);
  if (response === undefined)
    return resultWithoutResponse(name, {
      code: 'provider_error',
      message: findText(findObject(line.error)?.message) ?? findText(line.error) ?? 'The request failed.',
    });
  const status = readStatus(response.status_code, 200);
  const completion = findObject(response.body);
  if (completion === undefined || (raw.endpoint !== chats && raw.endpoint !== fim))
    return resultOfResponse(name, { status, body: response.body ?? null });
  const own = { ...name, created: findNumber(members.created_at) ?? 0, model: findText(raw.model) };
  try {
    const body = isSuccess(status) ? codec.answer(completion, own) : codec.error(completion, status, own.model);
    return resultOfResponse(name, { status, body });
  } catch (error) {
    return failedResult(name, errorText(error));
  }
};

/** Batch jobs: https://docs.mistral.ai/capabilities/batch/ */
export const mistralBatches: BatchAdapter = {
  endpoints: [chats, '/v1/embeddings'],
  hasOneModel: true,
  async create(input, context) {
    const { account } = context;
    const file = await uploadFile(
      account,
      { filename: 'batch.jsonl', bytes: undefined, read: () => inputLines(input, context) },
      'batch',
    );
    const endpoint =
      input.endpoint === chats && account.settings.mistral_fim_completion === true ? fim : input.endpoint;
    const body = {
      ...{ input_files: [file], endpoint, model: input.model ?? '', timeout_hours: 24 },
      ...(input.metadata === undefined ? {} : { metadata: input.metadata }),
    };
    return readBatch(await requestJson(account, { method: 'POST', path: jobs, body }));
  },
  retrieve: async (id, account) => readBatch(await requestJson(account, { method: 'GET', path: at(id) })),
  cancel: async (id, account) => readBatch(await requestJson(account, { method: 'POST', path: at(id, '/cancel') })),
  async *lines({ raw }, account) {
    for (const file of [findId(raw.output_file), findId(raw.error_file)])
      if (file !== undefined)
        yield* jsonLines(account, { method: 'GET', path: `/files/${encodeURIComponent(file)}/content` });
  },
  toResult,
};
