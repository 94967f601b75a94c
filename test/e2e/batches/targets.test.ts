import type OpenAI from 'openai';
import { toFile } from 'openai';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createChatDriver } from '../../matrix/upstreams/chat/chat-driver.ts';
import { openaiVendor } from '../../matrix/upstreams/chat/chat-vendors.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { ResponsesWorld } from '../responses/responses-world.ts';

let world: ResponsesWorld;
let openai: TestUpstream;

beforeAll(async () => {
  world = await ResponsesWorld.start();
  const driver = createChatDriver(openaiVendor);
  openai = await startUpstream((call) =>
    driver.answer(call, { kind: 'answer', text: 'Hello!', finish: 'stop', usage: { input: 3, output: 2 } }, false),
  );
  await world.save({ slug: 'chats', provider: 'openai', host: `${openai.origin}/v1` });
});

afterAll(async () => {
  await world?.stop();
  await openai?.close();
});

/** Runs lines as a batch of the gateway, and returns it with its results. */
const runLines = async (client: OpenAI, lines: readonly string[]) => {
  const file = await toFile(Buffer.from(`${lines.join('\n')}\n`), 'lines.jsonl');
  const input = await client.files.create({ purpose: 'batch', file }, { headers: { 'x-gw-provider': 'gw' } });
  const { id } = await client.batches.create({
    ...{ input_file_id: input.id, endpoint: '/v1/chat/completions', completion_window: 'immediate' as '24h' },
  });
  await expect.poll(async () => (await client.batches.retrieve(id)).status).toBe('completed');
  const batch = await client.batches.retrieve(id);
  const output = await (await client.files.content(batch.output_file_id ?? '')).text();
  const results = output.trim().split('\n');
  return { batch, results: results.map((line) => JSON.parse(line)) };
};

const toClient = (slug: string): OpenAI =>
  world.client('gw').withOptions({ defaultHeaders: { 'x-gw-virtual-key': slug } });

it.each([
  ['chats', 'gpt-4o-mini'],
  ['claude', 'claude-sonnet-4-5'],
  ['gemini', 'gemini-2.5-flash'],
])('runs a batch of the gateway on the provider %s, with the official client', async (slug, model) => {
  const lines = ['a', 'b'].map((id) =>
    JSON.stringify({
      ...{ custom_id: id, method: 'POST', url: '/v1/chat/completions' },
      body: { model, max_tokens: 9, messages: [{ role: 'user', content: `Hi ${id}` }] },
    }),
  );
  const { batch, results } = await runLines(toClient(slug), lines);
  expect(batch.request_counts).toEqual({ total: 2, completed: 2, failed: 0 });
  expect(results.map(({ custom_id: of }) => of).toSorted()).toEqual(['a', 'b']);
  for (const { response } of results) expect(response.body.choices[0].message.content).toEqual(expect.any(String));
});

it('sends a line as it is written, with all digits of its numbers', async () => {
  const body =
    '{ "model": "gpt-4o-mini", "seed": 9007199254740993, "top_p": 1.0, "messages": [{"role": "user", "content": "H\\u0069"}] }';
  const line = (id: string, written: string): string =>
    `\ufeff{"body" : ${written},"custom_id":"${id}","method":"POST","url":"/v1/chat/completions"}`;
  // If a line has a member twice, the value that was judged is sent.
  const twice = body.replace('"seed"', '"seed":1,"seed"');
  const { results } = await runLines(toClient('chats'), [line('exact', body), line('twice', twice)]);
  expect(results.map(({ response }) => response.status_code)).toEqual([200, 200]);
  const sent = openai.requests.slice(-2).map((request) => request.text());
  expect(sent).toContain(body);
  expect(sent.filter((text) => text.includes('"seed":1,'))).toEqual([]);
});
