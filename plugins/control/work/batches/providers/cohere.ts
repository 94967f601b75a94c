import { randomUUID } from 'node:crypto';
import { exactText } from '../../../../../schema/json/exact-numbers.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { findObject, findText } from '../../../../../schema/json/loose.ts';
import { orUndo } from '../../../kernel/records/records.ts';
import type { Account } from '../../provider-requests/account.ts';
import {
  datasetRecords,
  readDataset,
  removeDataset,
  uploadDataset,
  validated,
} from '../../provider-requests/datasets/cohere-datasets.ts';
import { findId, isoSeconds, readWord } from '../../provider-requests/read-values.ts';
import { requestJson } from '../../provider-requests/request-json.ts';
import { resultOfResponse, toLineName } from '../batch/batch-lines.ts';
import {
  type BatchAdapter,
  type BatchContext,
  type BatchInput,
  type BatchStatus,
  chatResult,
  failedResult,
  type RemoteBatch,
  toRemoteBatch,
} from './batch-adapter.ts';
import { embeddingAnswer, embeddingError, toBatchChat, toBatchEmbedding } from './cohere-lines.ts';

/** A path is below /v1, unless it begins with a version. */
const batches = '/v2/batches';

const at = (id: string, rest = ''): string => `${batches}/${encodeURIComponent(id)}${rest}`;

const chats = '/v1/chat/completions';

/** The dataset types, by the endpoints of their lines: https://docs.cohere.com/reference/create-dataset#request.query.type */
export const batchDatasets: Readonly<Record<string, string>> = {
  [chats]: 'batch-chat-v2-input',
  '/v1/embeddings': 'batch-embed-v2-input',
};

/** https://docs.cohere.com/reference/get-batch#response.body.batch.status; Cohere's own guide spells the last one with two l. */
const states: Readonly<Record<string, BatchStatus>> = {
  BATCH_STATUS_UNSPECIFIED: 'validating',
  BATCH_STATUS_QUEUED: 'validating',
  BATCH_STATUS_IN_PROGRESS: 'in_progress',
  BATCH_STATUS_COMPLETED: 'completed',
  BATCH_STATUS_FAILED: 'failed',
  BATCH_STATUS_CANCELING: 'cancelling',
  BATCH_STATUS_CANCELED: 'cancelled',
  BATCH_STATUS_CANCELLED: 'cancelled',
};

const readBatch = (answer: JsonObject): RemoteBatch => {
  const raw = findObject(answer.batch) ?? {};
  const status = readWord(states, raw.status) ?? 'in_progress';
  return toRemoteBatch({
    ...{ id: findText(raw.id) ?? '', status, raw },
    counts: { total: raw.num_records, completed: raw.num_successful_records, failed: raw.num_failed_records },
    members: { created_at: isoSeconds(raw.created_at) },
    changedAt: isoSeconds(raw.updated_at),
    reasons: status === 'failed' ? [raw.status_reason] : [],
  });
};

async function* inputLines(
  { lines, endpoint }: Pick<BatchInput, 'lines' | 'endpoint'>,
  { codec }: BatchContext,
): AsyncGenerator<Buffer> {
  for await (const { customId, body } of lines()) {
    const request = endpoint === chats ? toBatchChat(codec.request(body)).value : toBatchEmbedding(body);
    yield Buffer.from(`${exactText({ custom_id: customId, body: request })}\n`);
  }
}

const toResult: BatchAdapter['toResult'] = (record, batch, codec) => {
  const name = toLineName(record.custom_id);
  const wire = findObject(record.body);
  if (findText(record.error) || wire === undefined) return failedResult(name, record.error);
  const model = findText(batch.raw.model) ?? '';
  if (findObject(wire.embeddings) !== undefined)
    return resultOfResponse(name, { status: 200, body: embeddingAnswer(wire, model) });
  return chatResult(name, wire, { batch, codec, model });
};

const retrieve = async (id: string, account: Account): Promise<RemoteBatch> =>
  readBatch(await requestJson(account, { method: 'GET', path: at(id) }));

/**
 * Batches from datasets: https://docs.cohere.com/reference/create-batch. Cohere's embed jobs are not used, because they take
 * texts for models of the third version only, and report neither errors nor usage of a line.
 */
export const cohereBatches: BatchAdapter = {
  endpoints: Object.keys(batchDatasets),
  hasOneModel: true,
  lineError({ body }, codec, endpoint) {
    if (endpoint !== chats) return embeddingError(body);
    const { lost } = toBatchChat(codec.request(body));
    return lost.length === 0
      ? undefined
      : `a batch of Cohere does not support ${lost.join(', ')}. The gateway sends it with "completion_window": "immediate".`;
  },
  written: {
    lines: inputLines,
    async findEndpoint(id, account) {
      const { dataset_type: type } = await readDataset(account, id);
      return Object.keys(batchDatasets).find((endpoint) => batchDatasets[endpoint] === type);
    },
  },
  async create(input, context) {
    const { account, codec } = context;
    const name = `gw-${randomUUID()}`;
    const dataset =
      input.sent ??
      (await uploadDataset(account, {
        ...{ name, type: batchDatasets[input.endpoint] ?? '', filename: `${name}.jsonl`, bytes: undefined },
        read: () => inputLines(input, context),
      }));
    return orUndo(
      async () => {
        await validated(account, dataset);
        const body = { name, input_dataset_id: dataset, model: codec.servedModel(input.model ?? '').name };
        return readBatch(await requestJson(account, { method: 'POST', path: batches, body }));
      },
      async () => input.sent ?? removeDataset(account, dataset),
    );
  },
  retrieve,
  /** https://docs.cohere.com/reference/cancel-batch */
  async cancel(id, account) {
    await requestJson(account, { method: 'POST', path: at(id, ':cancel') });
    return retrieve(id, account);
  },
  async *lines({ raw }, account) {
    const dataset = findId(raw.output_dataset_id);
    if (dataset !== undefined) yield* datasetRecords(account, dataset);
  },
  toResult,
};
