import { Readable } from 'node:stream';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { findNumber, findObject, findText } from '../../../../../schema/json/loose.ts';
import type { Account } from '../../accounts/account.ts';
import { isoSeconds } from '../../accounts/answers/read-values.ts';
import { ask } from '../../accounts/ask.ts';
import { answered, toLineName, unanswered } from '../lines/line-result.ts';
import { jsonLines } from '../lines/read-lines.ts';
import type {
  BatchAdapter,
  BatchContext,
  BatchInput,
  BatchStatus,
  ProviderResult,
  RemoteBatch,
} from './batch-adapter.ts';
import { readPresent } from './read-present.ts';

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

interface Counts {
  readonly processing: number;
  readonly succeeded: number;
  readonly errored: number;
  readonly canceled: number;
  readonly expired: number;
}

const readCounts = ({ request_counts: counts }: JsonObject): Counts => {
  const count = (name: string): number => findNumber(findObject(counts)?.[name]) ?? 0;
  return {
    ...{ processing: count('processing'), succeeded: count('succeeded'), errored: count('errored') },
    ...{ canceled: count('canceled'), expired: count('expired') },
  };
};

const readStatus = ({ processing_status: status }: JsonObject, { canceled, expired }: Counts): BatchStatus => {
  if (status === 'canceling') return 'cancelling';
  if (status !== 'ended') return 'in_progress';
  if (canceled > 0) return 'cancelled';
  return expired > 0 ? 'expired' : 'completed';
};

/** https://docs.anthropic.com/en/api/retrieving-message-batches */
const readBatch = (raw: JsonObject): RemoteBatch => {
  const counts = readCounts(raw);
  const status = readStatus(raw, counts);
  const { processing, succeeded, errored, canceled, expired } = counts;
  const endedAt = isoSeconds(raw.ended_at);
  return {
    id: findText(raw.id) ?? '',
    status,
    raw,
    counts: {
      total: processing + succeeded + errored + canceled + expired,
      completed: succeeded,
      failed: errored + canceled + expired,
    },
    members: readPresent({
      created_at: isoSeconds(raw.created_at),
      in_progress_at: isoSeconds(raw.created_at),
      expires_at: isoSeconds(raw.expires_at),
      cancelling_at: isoSeconds(raw.cancel_initiated_at),
      ...(endedAt === null || status === 'in_progress' || status === 'cancelling' ? {} : { [`${status}_at`]: endedAt }),
    }),
  };
};

/** All requests as one JSON text, of which one is written at a time. */
async function* requestsText({ lines }: BatchInput, { codec }: BatchContext): AsyncGenerator<Buffer> {
  let before = '{"requests":[';
  for await (const { customId, body } of lines()) {
    yield Buffer.from(`${before}${JSON.stringify({ custom_id: customId, params: codec.request(body) })}`);
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

const endings: Readonly<Record<string, { readonly code: string; readonly message: string }>> = {
  canceled: { code: 'batch_cancelled', message: 'The batch was cancelled before this request was processed.' },
  expired: { code: 'batch_expired', message: 'The batch expired before this request was processed.' },
};

/** https://docs.anthropic.com/en/api/retrieving-message-batch-results */
const readResult = (line: JsonObject, batch: RemoteBatch, { codec }: BatchContext): ProviderResult => {
  const name = toLineName(findText(line.custom_id) ?? '');
  const result = findObject(line.result) ?? {};
  const type = findText(result.type) ?? '';
  if (type === 'succeeded') {
    const created = findNumber(batch.members.created_at) ?? 0;
    const message = findObject(result.message) ?? {};
    const body = codec.answer(message, { ...name, created });
    return { ...answered(name, { status: 200, body }), usage: codec.usage(message) };
  }
  const ending = endings[type];
  if (ending !== undefined) return unanswered(name, ending);
  const error = findObject(findObject(result.error)?.error) ?? findObject(result.error) ?? {};
  const status = statusOfError[findText(error.type) ?? ''] ?? 500;
  return answered(name, { status, body: errorBody(error) });
};

const customIds = /^[a-zA-Z0-9_-]{1,64}$/;

const retrieve = async (id: string, account: Account): Promise<RemoteBatch> =>
  readBatch(await ask(account, { method: 'GET', path: at(id) }));

/** Message batches: https://docs.anthropic.com/en/docs/build-with-claude/batch-processing */
export const anthropicBatches: BatchAdapter = {
  endpoints: ['/v1/chat/completions'],
  lineFault: ({ customId }) =>
    customIds.test(customId)
      ? undefined
      : 'custom_id must have 1 to 64 letters, digits, hyphens and underscores, which is what Anthropic takes.',
  async create(input, context) {
    const stream = Readable.from(requestsText(input, context), { objectMode: false });
    const received = {
      ...{ contentType: 'application/json', encoding: undefined, length: undefined },
      body: { kind: 'stream', stream } as const,
    };
    return readBatch(await ask(context.account, { method: 'POST', path: batches, received }));
  },
  retrieve: (id, { account }) => retrieve(id, account),
  cancel: async (id, { account }) => readBatch(await ask(account, { method: 'POST', path: at(id, '/cancel') })),
  async *results(batch, context) {
    const request = { method: 'GET', path: at(batch.id, '/results') };
    for await (const line of jsonLines(context.account, request)) yield readResult(line, batch, context);
  },
};
