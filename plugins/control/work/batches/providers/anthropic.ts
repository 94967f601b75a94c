import { Readable } from 'node:stream';
import { exactText } from '../../../../../schema/json/exact-numbers.ts';
import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { findObject, findText } from '../../../../../schema/json/loose.ts';
import { isoSeconds, readCount, readWord } from '../../provider-requests/read-values.ts';
import { requestJson } from '../../provider-requests/request-json.ts';
import { exactLines, resultOfResponse, resultWithoutResponse, toLineName } from '../batch/batch-lines.ts';
import {
  type BatchAdapter,
  type BatchContext,
  type BatchInput,
  type BatchStatus,
  chatResult,
  type RemoteBatch,
  toRemoteBatch,
} from './batch-adapter.ts';

const batches = '/messages/batches';

const at = (id: string, rest = ''): string => `${batches}/${encodeURIComponent(id)}${rest}`;

/** https://docs.anthropic.com/en/api/errors */
const statusOfError: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  overloaded_error: 529,
};

const readStatus = (status: Json | undefined, canceled: number, expired: number): BatchStatus => {
  if (status !== 'ended') return status === 'canceling' ? 'cancelling' : 'in_progress';
  if (canceled > 0) return 'cancelled';
  return expired > 0 ? 'expired' : 'completed';
};

/** https://docs.anthropic.com/en/api/retrieving-message-batches */
const readBatch = (raw: JsonObject): RemoteBatch => {
  const found = findObject(raw.request_counts) ?? {};
  const count = (name: string): number => readCount(found[name]);
  const [completed, canceled, expired] = [count('succeeded'), count('canceled'), count('expired')];
  const failed = count('errored') + canceled + expired;
  return toRemoteBatch({
    id: findText(raw.id) ?? '',
    status: readStatus(raw.processing_status, canceled, expired),
    raw,
    counts: { total: count('processing') + completed + failed, completed, failed },
    members: {
      created_at: isoSeconds(raw.created_at),
      in_progress_at: isoSeconds(raw.created_at),
      expires_at: isoSeconds(raw.expires_at),
      cancelling_at: isoSeconds(raw.cancel_initiated_at),
    },
    changedAt: isoSeconds(raw.ended_at),
    reasons: [],
  });
};

/** Yields all requests as one JSON text; one request is written at a time. */
async function* requestsText({ lines }: BatchInput, { codec }: BatchContext): AsyncGenerator<Buffer> {
  let before = '{"requests":[';
  for await (const { customId, body } of lines()) {
    yield Buffer.from(`${before}${exactText({ custom_id: customId, params: codec.request(body) })}`);
    before = ',';
  }
  yield Buffer.from(`${before === ',' ? '' : before}]}`);
}

const errorBody = (error: JsonObject): JsonObject => ({
  error: {
    ...{ message: findText(error.message) ?? 'The request failed.', type: findText(error.type) ?? 'api_error' },
    ...{ param: null, code: null },
  },
});

const endings: Readonly<Record<string, Parameters<typeof resultWithoutResponse>[1]>> = {
  canceled: { code: 'batch_cancelled', message: 'The batch was cancelled before this request was processed.' },
  expired: { code: 'batch_expired', message: 'The batch expired before this request was processed.' },
};

/** https://docs.anthropic.com/en/api/retrieving-message-batch-results */
const toResult: BatchAdapter['toResult'] = (line, batch, codec) => {
  const name = toLineName(line.custom_id);
  const result = findObject(line.result) ?? {};
  const type = findText(result.type) ?? '';
  if (type === 'succeeded') return chatResult(name, findObject(result.message) ?? {}, { batch, codec });
  const ending = readWord(endings, type);
  if (ending !== undefined) return resultWithoutResponse(name, ending);
  const error = findObject(findObject(result.error)?.error) ?? findObject(result.error) ?? {};
  const status = readWord(statusOfError, error.type) ?? 500;
  return resultOfResponse(name, { status, body: errorBody(error) });
};

const customIds = /^[a-zA-Z0-9_-]{1,64}$/;

/** Message batches: https://docs.anthropic.com/en/docs/build-with-claude/batch-processing */
export const anthropicBatches: BatchAdapter = {
  endpoints: ['/v1/chat/completions'],
  lineError: ({ customId }) =>
    customIds.test(customId)
      ? undefined
      : 'Anthropic requires a custom_id of 1 to 64 letters, digits, hyphens and underscores.',
  async create(input, context) {
    const stream = Readable.from(requestsText(input, context), { objectMode: false });
    const received = {
      ...{ contentType: 'application/json', encoding: undefined, length: undefined },
      body: { kind: 'stream', stream } as const,
    };
    return readBatch(await requestJson(context.account, { method: 'POST', path: batches, received }));
  },
  retrieve: async (id, account) => readBatch(await requestJson(account, { method: 'GET', path: at(id) })),
  cancel: async (id, account) => readBatch(await requestJson(account, { method: 'POST', path: at(id, '/cancel') })),
  lines: ({ id }, account) => exactLines(account, { method: 'GET', path: at(id, '/results') }),
  toResult,
};
