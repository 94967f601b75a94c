import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { control, serveStore } from '../../support/gateways/stored-gateway.ts';
import { startUpstream, type UpstreamCall } from '../../support/servers/upstream-server.ts';
import { type BatchView, batchClient, toIds, toLine } from './support/batch-client.ts';
import { answerLine } from './support/batch-processes.ts';

/** The number of batches to cancel. */
const cancels = Number(process.env.BATCH_CANCELS ?? 12);
const lanes = 6;

interface Round {
  readonly count: number;
  /** The request at which the batch is cancelled. 0: immediately. More than all: after all have run. */
  readonly at: number;
  sent: number;
  readonly reached: PromiseWithResolvers<void>;
}

it(
  'a batch that is cancelled at any moment ends, has each line in one file, and sends nothing more',
  async () => {
    const rounds: Round[] = [];
    const findRound = ({ request }: UpstreamCall): Round | undefined => {
      const { messages } = JSON.parse(request.text());
      return rounds[Number(messages[0].content)];
    };
    const upstream = await startUpstream(async (call) => {
      const round = findRound(call);
      if (round === undefined) return;
      round.sent += 1;
      if (round.sent === round.at) round.reached.resolve();
      await setTimeout(Math.random() * 20);
      await answerLine(call);
    });
    onTestFinished(() => upstream.close());
    const gateway = await serveStore();
    const settings = { custom_host: `${upstream.origin}/v1` };
    await control(gateway, 'POST /providers', {
      body: { name: 'Main', slug: 'main', provider: 'openai', credential: { api_key: 'sk-main' }, settings },
    });
    const { upload, create, get, cancel, over, readFiles, results } = batchClient(() => gateway);

    const cancelled = async (round: Round, number: number): Promise<void> => {
      const { count, at, reached } = round;
      const lines = Array.from({ length: count }, (_, line) =>
        toLine(line, { messages: [{ role: 'user', content: `${number}` }] }),
      );
      const { id } = await create(await upload(lines.join('')));
      if (at > count) {
        const ran = async (): Promise<number> => (await get(id)).request_counts.completed;
        await expect.poll(ran, { interval: 5, timeout: 60_000 }).toBe(count);
      } else if (at > 0) await reached.promise;
      const answers = await Promise.all([cancel(id), cancel(id)]);
      for (const { status } of answers) expect([200, 409]).toContain(status);
      const batch: BatchView = await over(id, { count });
      const { sent } = round;
      expect(batch.status).toBe(answers.some(({ status }) => status === 200) ? 'cancelled' : 'completed');
      if (batch.request_counts.total === 0) {
        expect([batch.output_file_id, batch.error_file_id, sent]).toEqual([undefined, undefined, 0]);
        return;
      }
      const { output, errors } = await readFiles(batch, toIds(count));
      expect(output.every(({ response }) => response?.status_code === 200)).toBe(true);
      expect(errors.every(({ error }) => error?.code === 'batch_cancelled')).toBe(true);
      expect(output.length).toBe(sent);
      expect((await cancel(id)).status).toBe(409);
      expect(await results(batch.output_file_id)).toEqual(output);
      expect(await get(id)).toEqual(batch);
    };

    const lane = async (): Promise<void> => {
      while (rounds.length < cancels) {
        const count = 1 + Math.floor(Math.random() * 150);
        const at = Math.floor(Math.random() * (count + 5));
        const round = { count, at, sent: 0, reached: Promise.withResolvers<void>() };
        await cancelled(round, rounds.push(round) - 1);
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    const sent = rounds.map((round) => round.sent);
    await setTimeout(1000);
    expect(rounds.map((round) => round.sent)).toEqual(sent);
    expect(sent.reduce((sum, each) => sum + each, 0)).toBe(upstream.requests.length);
  },
  20 * 60_000,
);
