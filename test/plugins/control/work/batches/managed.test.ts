import { describe, expect, it, onTestFinished } from 'vitest';
import type { Clock } from '../../../../../plugins/sdk/clock.ts';
import { systemClock } from '../../../../../runtime/in-memory/system-clock.ts';
import type { UsageRecord } from '../../../../../schema/usage/usage-record.ts';
import { temporaryFolder } from '../../../../support/commands/temporary-folder.ts';
import { openFile } from '../../support/temporary-store.ts';
import { type AnswerLine, batchWorld, inputLine, inputLines } from './support/batch-world.ts';

/** A clock whose timers do not wait long. */
const hurriedClock: Clock = { ...systemClock, after: (ms, run) => systemClock.after(Math.min(ms, 10), run) };

const world = async (answer: AnswerLine = () => ({}), clock: Clock = systemClock) => {
  const folder = temporaryFolder();
  const store = await openFile(`${folder}/gateway.db`);
  const made = await batchWorld({ store, folder: `${folder}/files`, answer, clock });
  onTestFinished(async () => {
    await made.close();
    await store.close();
  });
  return { ...made, store };
};

describe('a batch that the gateway runs', () => {
  it('has the result of each line in one of its files, with counts and usage', async () => {
    const usage: UsageRecord = {
      ...{ kind: 'reported', model: 'm', cost: { nanoUsd: 2500, prices: 'list' } },
      ...{ input: { total: 10, cacheRead: 4 }, output: { total: 5, reasoning: 2 } },
    };
    const { upload, create, over, lines, state, store } = await world(({ n }) =>
      Number(n) % 10 === 3 ? { status: 400, body: { error: { message: 'no' } } } : { usage },
    );
    const made = await create(await upload(inputLines(50)), { metadata: { team: 'search' } });
    expect(made).toMatchObject({
      ...{ object: 'batch', status: 'validating', executor: 'managed', completion_window: 'immediate' },
      ...{ metadata: { team: 'search' }, request_counts: { total: 0, completed: 0, failed: 0 } },
    });
    const { metadata } = await store.db.selectFrom('batches').select('metadata').executeTakeFirstOrThrow();
    expect(metadata).not.toContain('search');
    const batch = await over(made.id);
    expect(batch).toMatchObject({
      ...{ status: 'completed', request_counts: { total: 50, completed: 45, failed: 5 }, cost: 0.0001125 },
      usage: {
        ...{ input_tokens: 450, input_tokens_details: { cached_tokens: 180 } },
        ...{ output_tokens: 225, output_tokens_details: { reasoning_tokens: 90 }, total_tokens: 675 },
      },
    });
    const [output, errors] = [await lines(batch.output_file_id), await lines(batch.error_file_id)];
    const ids = [...output, ...errors].map(({ custom_id }) => custom_id);
    expect([ids.length, new Set(ids).size, state.sent]).toEqual([50, 50, 50]);
    expect(output[7]).toEqual({
      ...{ id: `${made.id}-9`, custom_id: 'line-8', error: null },
      response: {
        ...{ status_code: 200, request_id: `${made.id}-9` },
        body: { echoed: { model: 'm', messages: [], n: 8 } },
      },
    });
    expect(errors.map(({ custom_id }) => custom_id)).toEqual([3, 13, 23, 33, 43].map((n) => `line-${n}`));
    expect(errors[0]?.response).toMatchObject({ status_code: 400, body: { error: { message: 'no' } } });
  });

  it('reports what is wrong with each line, and runs none', async () => {
    const { upload, create, over, state } = await world();
    const nested = '['.repeat(1200) + ']'.repeat(1200);
    const bad = [
      inputLine(0),
      '\n{"custom_id": \n',
      '[]\n',
      inputLine(0),
      inputLine(1).replace('"POST"', '"GET"'),
      inputLine(2).replace('/chat/', '/'),
      '{"custom_id":"x","method":"POST","url":"/v1/chat/completions","body":[]}\n',
      '{"custom_id":7,"method":"POST","url":"/v1/chat/completions","body":{}}\n',
      inputLine(3, { long: 'x'.repeat(1_048_576) }),
      inputLine(4).replace('"messages":[]', `"messages":${nested}`),
    ].join('');
    const text = Buffer.concat([Buffer.from(bad), Buffer.from([0x22, 0xff, 0x22])]);
    const batch = await over((await create(await upload(text))).id);
    const { data = [] } = batch.errors as { data: readonly { code: string; line: number; param: string | null }[] };
    expect(data.map(({ code, line, param }) => [line, code, param])).toEqual([
      [3, 'invalid_json_line', null],
      [4, 'invalid_json_line', null],
      [5, 'duplicate_custom_id', 'custom_id'],
      [6, 'invalid_method', 'method'],
      [7, 'mismatched_endpoint', 'url'],
      [8, 'invalid_body', 'body'],
      [9, 'invalid_custom_id', 'custom_id'],
      [10, 'line_too_large', null],
      [11, 'invalid_json_line', null],
      [12, 'invalid_json_line', null],
    ]);
    expect([batch.status, typeof batch.failed_at, state.sent]).toEqual(['failed', 'number', 0]);
    expect(batch).not.toHaveProperty('output_file_id');
  });

  it('can begin with a byte order mark, and distinguishes ids that are not well-formed strings', async () => {
    const { upload, create, over } = await world();
    const text = inputLine(0) + inputLine(1).replace('line-1', '\\ud800') + inputLine(2).replace('line-2', '\\ud801');
    const batch = await over((await create(await upload(`\ufeff${text}`))).id);
    expect(batch).toMatchObject({ status: 'completed', request_counts: { total: 3, completed: 3 } });
  });

  it('fails if it has no lines, or more than 50,000', async () => {
    const { upload, create, over } = await world();
    const codes = async (text: string) => {
      const { errors } = await over((await create(await upload(text))).id);
      return (errors as { data: readonly { code: string }[] }).data.map(({ code }) => code);
    };
    expect(await codes('\n \r\n')).toEqual(['empty_file']);
    expect(await codes(inputLines(50_001))).toEqual(['too_many_lines']);
  });

  it('refuses a line that requests a stream, and does not send it', async () => {
    const { upload, create, over, lines, state } = await world();
    const text = inputLine(0, { stream: true }) + inputLine(1, { stream: false }) + inputLine(2);
    const batch = await over((await create(await upload(text))).id);
    expect(batch.request_counts).toEqual({ total: 3, completed: 2, failed: 1 });
    expect((await lines(batch.error_file_id))[0]?.response).toMatchObject({
      status_code: 400,
      body: { error: { param: 'stream' } },
    });
    expect(state.sent).toBe(2);
  });

  it('retries a line after a temporary error, but not after a permanent one', async () => {
    const tries = new Map<string, number>();
    const headers = ['retry-after-ms', '5'];
    const { upload, create, over, lines } = await world(({ n }) => {
      const name = String(n);
      tries.set(name, (tries.get(name) ?? 0) + 1);
      if (n === 0 && tries.get(name) === 1) return { status: 429, headers };
      return n === 1 ? { status: 422, body: 'no' } : {};
    });
    const batch = await over((await create(await upload(inputLines(3)))).id);
    expect(batch.request_counts).toEqual({ total: 3, completed: 2, failed: 1 });
    expect([...tries.values()]).toEqual([2, 1, 1]);
    expect((await lines(batch.error_file_id))[0]?.response).toMatchObject({ status_code: 422, body: 'no' });
  });

  it('retries a line three times, and then reports the last response', async () => {
    const tries: number[] = [];
    const { upload, create, over, lines } = await world(({ n }) => {
      tries.push(Number(n));
      return n === 1 ? {} : { status: 500, body: `no ${tries.filter((each) => each === n).length}` };
    }, hurriedClock);
    const batch = await over((await create(await upload(inputLines(2)))).id);
    expect(batch.request_counts).toEqual({ total: 2, completed: 1, failed: 1 });
    expect(tries.toSorted()).toEqual([0, 0, 0, 0, 1]);
    expect((await lines(batch.error_file_id))[0]?.response).toMatchObject({ status_code: 500, body: 'no 4' });
  });

  it('prevents the deletion of its input file while it reads the file', async () => {
    const gate = Promise.withResolvers<object>();
    const { upload, create, over, files, tenant } = await world(() => gate.promise);
    const file = await upload(inputLines(2));
    const { id } = await create(file);
    await expect(files.remove(tenant, file)).rejects.toThrow(`while the batch ${id} reads it`);
    gate.resolve({});
    await over(id);
    expect(await files.remove(tenant, file)).toBe(true);
  });

  it('is cancelled if its creator may no longer send requests', async () => {
    const { upload, create, over, lines, state, get } = await world(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return {};
    });
    const { id } = await create(await upload(inputLines(400)));
    await expect.poll(async () => (await get(id)).status).toBe('in_progress');
    state.isRevoked = true;
    const batch = await over(id);
    expect(batch).toMatchObject({ status: 'cancelled', errors: { data: [{ code: 'key_revoked' }] } });
    const errors = await lines(batch.error_file_id);
    expect(errors.at(-1)).toMatchObject({ response: null, error: { code: 'batch_cancelled' } });
    expect(errors.length + (await lines(batch.output_file_id)).length).toBe(400);
  });
});
