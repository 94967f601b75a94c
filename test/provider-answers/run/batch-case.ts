import { setTimeout } from 'node:timers/promises';
import type { BatchAccount } from '../../support/vendors/batches/batch-accounts.ts';
import type { Case } from './case.ts';

const line = ({ model, parameters = {} }: BatchAccount, id: string): string =>
  `${JSON.stringify({
    ...{ custom_id: id, method: 'POST', url: '/v1/chat/completions' },
    body: { model, max_tokens: 50, messages: [{ role: 'user', content: id }], ...parameters },
  })}\n`;

/** The lines of an input file: two that succeed and one that fails. */
export const toLines = (account: BatchAccount): string =>
  ['one', 'fail', 'three'].map((id) => line(account, id)).join('');

interface BatchCase {
  readonly slug: string;
  /** The id of the input file. */
  readonly input: string;
  /** Makes all batches of the vendor end. */
  finish(): void;
}

/** How often a batch is read until it must have ended. */
const maxLooks = 250;

const counts = { total: 3, completed: 2, failed: 1 };

/**
 * Creates, watches and reads a batch while answers are wrong. Once they are right again, the batch must end, with all of its
 * results if none of the wrong answers was readable.
 */
export const batchCase = async (
  { random, vendor, ask, note }: Case,
  { slug, input, finish }: BatchCase,
): Promise<void> => {
  const headers = { 'x-gw-virtual-key': slug };
  const about = { input_file_id: input, endpoint: '/v1/chat/completions', completion_window: '24h' };
  const trouble = random.pick(['unreadable', 'any', 'any'] as const);
  const create = () => ask({ operation: 'create_batch', path: '/batches', headers, body: about });
  if (random.oneIn(3)) {
    vendor.begin(random, trouble, 1 + random.below(2));
    await create();
    vendor.end();
  }
  const made = await create();
  const id = encodeURIComponent(String(made.body.id));
  note(made.status === 200, 'a batch is made again after a bad answer');
  if (made.status !== 200) return;
  const asks = [
    () => ask({ operation: 'get_batch', path: `/batches/${id}`, headers }),
    () => ask({ operation: 'get_batch', path: `/batches/${id}`, headers }),
    () => ask({ operation: 'get_batch_output', path: `/batches/${id}/output`, headers, isPassed: true }),
    () => ask({ operation: 'list_batches', path: '/batches?limit=3', headers }),
  ];
  if (random.oneIn(2)) finish();
  let isCancelled = false;
  vendor.begin(random, trouble, 1 + random.below(4));
  for (let left = 2 + random.below(3); left > 0; left -= 1) {
    if (random.oneIn(8)) {
      isCancelled = true;
      await ask({ operation: 'cancel_batch', path: `/batches/${id}/cancel`, headers });
    } else await random.pick(asks)();
    if (random.oneIn(3)) finish();
  }
  if (random.oneIn(6)) {
    vendor.begin(random, 'endless', Number.POSITIVE_INFINITY);
    await ask({ operation: 'list_batches', path: '/batches?limit=3', headers });
    await ask({ operation: 'get_batch', path: `/batches/${id}`, headers });
  }
  if (trouble === 'any') {
    vendor.begin(random, 'each value', Number.POSITIVE_INFINITY);
    for (let left = 8; left > 0; left -= 1) await random.pick(asks)();
  }
  vendor.end();
  finish();
  let last = await ask({ operation: 'get_batch', path: `/batches/${id}`, headers });
  const isCharged = async (): Promise<boolean> => {
    last = await ask({ operation: 'get_batch', path: `/batches/${id}`, headers });
    return last.body.cost !== undefined;
  };
  // The job that collects the results runs by itself. This only reads its progress.
  let asked = 0;
  for (; asked < maxLooks && !(await isCharged()); asked += 1) await setTimeout(20);
  note(asked < maxLooks, 'the batch does not end when answers are right again');
  last = await ask({ operation: 'get_batch', path: `/batches/${id}`, headers });
  if (trouble !== 'unreadable' || isCancelled) return;
  note(JSON.stringify(last.body.request_counts) === JSON.stringify(counts), 'its counts are not those of its lines');
  note(last.body.status === 'completed', 'it is not completed');
  const output = await ask({ operation: 'get_batch_output', path: `/batches/${id}/output`, headers, isPassed: true });
  note(output.text.trim().split('\n').length === 2, 'results are lost');
};
