import { randomUUID } from 'node:crypto';
import type { UpstreamCall } from '../../servers/upstream-server.ts';
import { anthropicAnswer, anthropicError } from '../anthropic-wire.ts';
import { oneOf } from '../one-of.ts';
import { startVendorRoutes } from '../vendor-routes.ts';
import { type BatchVendor, toAsked } from './batch-vendor.ts';

interface Asked {
  readonly custom_id: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test knows what it sent
  readonly params: any;
}

interface Batch {
  readonly requests: readonly Asked[];
  status: 'in_progress' | 'canceling' | 'ended';
  cancelled: boolean;
  results: readonly { readonly custom_id: string; readonly result: { readonly type: string } }[];
}

const missing = (call: UpstreamCall): void =>
  call.json(anthropicError('not_found_error', 'Not found.'), { status: 404 });

const time = '2026-09-21T13:33:20.123456Z';

const shown = (id: string, { requests, status, cancelled, results }: Batch): object => {
  const count = (type: string): number => results.filter(({ result }) => result.type === type).length;
  return {
    ...{ id, type: 'message_batch', processing_status: status, created_at: time, expires_at: '2026-09-22T13:33:20Z' },
    request_counts: {
      processing: requests.length - results.length,
      ...{ succeeded: count('succeeded'), errored: count('errored'), canceled: count('canceled') },
      expired: count('expired'),
    },
    ended_at: status === 'ended' ? time : null,
    cancel_initiated_at: cancelled ? time : null,
    archived_at: null,
    results_url: status === 'ended' ? `https://api.anthropic.com/v1/messages/batches/${id}/results` : null,
  };
};

const toResult = ({ params }: Asked, cancelled: boolean): { readonly type: string } => {
  if (cancelled) return { type: 'canceled' };
  const text = toAsked(params);
  return text.includes('fail')
    ? { type: 'errored', ...{ error: anthropicError('invalid_request_error', 'It cannot be done.') } }
    : { type: 'succeeded', ...{ message: anthropicAnswer({ text: 'Done.', model: params.model }) } };
};

/** Message batches: https://docs.anthropic.com/en/api/creating-message-batches */
export const startAnthropicBatches = async (): Promise<BatchVendor> => {
  const batches = new Map<string, Batch>();
  const own = '/v1/messages/batches';
  const one = oneOf(batches, missing);
  const upstream = await startVendorRoutes(
    [
      [
        'POST',
        new RegExp(`^${own}$`),
        (call) => {
          const { requests } = call.request.json() as { requests: readonly Asked[] };
          const wrong = requests.find(({ params }) => !(params.max_tokens > 0) || params.custom_id !== undefined);
          if (call.request.header('x-api-key') === undefined || wrong !== undefined)
            return call.json(anthropicError('invalid_request_error', 'max_tokens: Field required'), { status: 400 });
          const id = `msgbatch_${randomUUID()}`;
          const batch: Batch = { requests, status: 'in_progress', cancelled: false, results: [] };
          batches.set(id, batch);
          call.json(shown(id, batch));
        },
      ],
      ['GET', new RegExp(`^${own}/([^/]+)$`), one((batch, call, id) => call.json(shown(id, batch)))],
      [
        'POST',
        new RegExp(`^${own}/([^/]+)/cancel$`),
        one((batch, call, id) => {
          Object.assign(batch, { status: 'canceling', cancelled: true });
          call.json(shown(id, batch));
        }),
      ],
      [
        'GET',
        new RegExp(`^${own}/([^/]+)/results$`),
        one(({ results }, call) =>
          call.answer({
            headers: { 'content-type': 'application/x-jsonl' },
            body: [...results]
              .reverse()
              .map((line) => `${JSON.stringify(line)}\n`)
              .join(''),
          }),
        ),
      ],
    ],
    missing,
  );
  return {
    upstream,
    finish: () => {
      for (const batch of batches.values()) {
        if (batch.status === 'ended') continue;
        batch.results = batch.requests.map((asked) => ({
          custom_id: asked.custom_id,
          result: toResult(asked, batch.cancelled),
        }));
        batch.status = 'ended';
      }
    },
  };
};
