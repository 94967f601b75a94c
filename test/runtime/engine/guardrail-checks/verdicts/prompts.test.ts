import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { runConfig, toJson } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';

const check = { 'default.contains': { words: ['bomb'], operator: 'none' } };
const done = { id: 'a', object: 'text_completion', created: 1, model: 'm' };

const run = async (
  dialect: 'completions' | 'embeddings',
  body: JsonObject,
  { answer = { ...done, choices: [] }, ...guardrails }: JsonObject & { readonly answer?: JsonObject },
) => {
  const world = runConfig(
    { provider: 'openai', api_key: '${env:KEY}', ...guardrails },
    { upstream: () => stubAnswer(answer) },
  );
  const operation = dialect === 'completions' ? 'complete' : 'embed';
  const response = await world.handle(sampleExchange(body, { route: { operation, dialect } }));
  return { status: response.status, json: toJson(response), sent: world.upstreams.requests.length };
};

const denying = { input_guardrails: [{ ...check, deny: true }] };

describe.each(['completions', 'embeddings'] as const)('a word check on the prompts of %s', (dialect) => {
  const member = dialect === 'completions' ? 'prompt' : 'input';
  const unread = `Where the ${dialect} dialect has text, the request has something else, such as token ids, which checks cannot read.`;

  it.each([
    ['a text', 'a bomb'],
    ['one of several texts', ['Hi.', 'a bomb']],
  ])('denies %s', async (_, prompt) => {
    expect(await run(dialect, { [member]: prompt }, denying)).toMatchObject({ status: 446, sent: 0 });
  });

  it.each([
    ['a text', 'Hi.'],
    ['several texts', ['Hi.', 'you']],
  ])('permits %s', async (_, prompt) => {
    expect(await run(dialect, { [member]: prompt }, denying)).toMatchObject({ status: 200, sent: 1 });
  });

  it.each<[string, JsonObject, number]>([
    ['is empty', {}, 446],
    ['has messages that are denied', { messages: [{ role: 'user', content: 'a bomb' }] }, 446],
    ['has inputs that are denied', { inputs: ['a bomb'] }, 446],
    ['has messages that pass', { messages: [{ role: 'user', content: 'Hi.' }] }, 200],
  ])('judges a body of another dialect that %s', async (_, body, status) => {
    expect(await run(dialect, body, denying)).toMatchObject({ status });
  });

  it.each([
    ['token ids', [1, 2]],
    ['lists of token ids', [[1, 2], [3]]],
    ['token ids beside a text', ['Hi.', 1]],
  ])('denies %s, which it cannot read', async (_, prompt) => {
    const { status, json, sent } = await run(dialect, { [member]: prompt }, denying);
    expect([status, sent]).toEqual([446, 0]);
    expect(JSON.stringify(json)).toContain(unread);
  });

  it('permits token ids if it does not deny, and reports that it cannot read them', async () => {
    const { status, json, sent } = await run(dialect, { [member]: [1, 2] }, { input_guardrails: [check] });
    expect([status, sent]).toEqual([200, 1]);
    expect(json).toMatchObject({
      hook_results: {
        before_request_hooks: [{ verdict: true, checks: [{ error: { message: expect.stringContaining(unread) } }] }],
      },
    });
  });
});

it('judges every choice of a completion', async () => {
  const choices = ['Hi.', 'a bomb'].map((text, index) => ({ index, text, finish_reason: 'stop', logprobs: null }));
  const guarded = { output_guardrails: [{ ...check, deny: true }], answer: { ...done, choices } };
  expect(await run('completions', { prompt: 'Hi.', n: 2 }, guarded)).toMatchObject({ status: 446, sent: 1 });
});
