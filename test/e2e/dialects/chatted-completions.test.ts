import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import { type Family, families } from '../../matrix/families.ts';
import type { Answer, Heard } from '../../matrix/scenario.ts';
import { gatewayAndUpstream } from '../support/gateway-and-upstream.ts';

const world = gatewayAndUpstream();

const prompt = 'Once upon a time';
const usage = { input: 9, output: 4 };
const answered: Answer = { kind: 'answer', text: 'there was a bridge.', finish: 'stop', usage };

/** Answers as the provider. A request that the provider would refuse fails the test. */
const serve = ({ upstream: driver }: Family, answer: Answer = answered): readonly Heard[] => {
  const heard: Heard[] = [];
  world.upstream.handle((call) => {
    const understood = driver.hear(call.request);
    heard.push(understood);
    driver.answer(call, answer, understood.stream);
  });
  return heard;
};

const client = (family: Family, more: JsonObject = {}): OpenAI =>
  new OpenAI({
    baseURL: world.gateway.baseUrl,
    apiKey: 'not-sent',
    maxRetries: 0,
    defaultHeaders: { 'x-gw-config': JSON.stringify({ ...family.config(world.upstream.origin), ...more }) },
  });

/** Providers that speak completions themselves receive completions. */
const speaking = ['openai', 'azure-openai', 'fireworks-ai'];
const chatting = families.filter(({ provider }) => !speaking.includes(provider));

describe.each(chatting.map((family) => [family.id, family] as const))("OpenAI's client at %s", (_, family) => {
  it('gets a text completion', async () => {
    const heard = serve(family);
    const completion = await client(family).completions.create({ model: 'any', prompt, max_tokens: 60, user: 'u' });
    expect(completion).toMatchObject({
      object: 'text_completion',
      choices: [{ index: 0, text: 'there was a bridge.', logprobs: null, finish_reason: 'stop' }],
      usage: { prompt_tokens: usage.input, completion_tokens: usage.output, total_tokens: usage.input + usage.output },
    });
    expect(completion.id).not.toBe('');
    expect(completion.created).toBeGreaterThan(0);
    expect(heard).toMatchObject([{ user: [prompt], system: [], stream: false, maxTokens: 60 }]);
  });

  it('gets a text completion as a stream', async () => {
    const heard = serve(family);
    const stream = await client(family).completions.create({
      ...{ model: 'any', prompt: [prompt], max_tokens: 60, stream: true, stream_options: { include_usage: true } },
    });
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    const choices = chunks.flatMap((chunk) => chunk.choices);
    expect(chunks.every(({ object }) => object === 'text_completion')).toBe(true);
    expect(choices.map(({ text }) => text).join('')).toBe('there was a bridge.');
    expect(choices.at(-1)?.finish_reason).toBe('stop');
    expect(chunks.at(-1)?.usage).toMatchObject({ prompt_tokens: usage.input, completion_tokens: usage.output });
    expect(heard).toMatchObject([{ user: [prompt], stream: true }]);
  });

  it('gets the finish reason "length" if its text was cut at its limit', async () => {
    serve(family, { ...answered, finish: 'length' });
    const completion = await client(family).completions.create({ model: 'any', prompt, max_tokens: 60 });
    expect(completion.choices[0]?.finish_reason).toBe('length');
  });

  it('gets the errors of the provider', async () => {
    serve(family, { kind: 'error', status: 429, message: 'Slow down.' });
    const asked = client(family).completions.create({ model: 'any', prompt });
    await expect(asked).rejects.toMatchObject({ status: 429, message: expect.stringContaining('Slow down.') });
  });
});

const find = (id: string): Family => families.find((family) => family.id === id) ?? expect.unreachable(id);
const anthropic = find('anthropic');

describe('a text completion at a provider that only supports chat', () => {
  it.each([
    ['token ids', { prompt: [1, 2] }, 'token ids'],
    ['lists of token ids', { prompt: [[1, 2]] }, 'token ids'],
    ['several prompts', { prompt: ['a', 'b'] }, 'prompt must be one text'],
    ['no prompt', {}, 'prompt must be a text'],
    ['a suffix', { prompt, suffix: 'The end.' }, 'suffix must be empty'],
    ['a limit that is a string', { prompt, max_tokens: 'many' }, 'max_tokens'],
  ])('with %s is answered with 400', async (_, body, message) => {
    const heard = serve(anthropic);
    const asked = client(anthropic).completions.create({ model: 'any', ...body } as never);
    await expect(asked).rejects.toMatchObject({ status: 400, message: expect.stringContaining(message) });
    expect(heard).toEqual([]);
  });

  it('reports the parameters that a chat cannot express', async () => {
    serve(anthropic);
    const { response } = await client(anthropic)
      .completions.create({ model: 'any', prompt, echo: true, logprobs: 2, best_of: 3, logit_bias: { 50256: -100 } })
      .withResponse();
    expect(response.headers.get('x-gw-dropped-params')?.split(', ').toSorted()).toEqual(
      expect.arrayContaining(
        ['best_of', 'echo', 'logit_bias', 'logprobs'].map((name) => `extensions.completions.${name}`),
      ),
    );
  });

  it('does not report parameters that would have no effect', async () => {
    serve(find('groq'));
    const { response } = await client(find('groq'))
      .completions.create({
        ...{ model: 'any', prompt, echo: false, logprobs: null, best_of: 1, n: 1, suffix: '', stop: ['END'] },
      })
      .withResponse();
    expect(response.headers.get('x-gw-dropped-params')).toBeNull();
  });

  it.each([false, true])('is judged like a chat (stream: %s)', async (stream) => {
    const heard = serve(anthropic);
    const denies = (phase: 'input' | 'output', word: string): JsonObject => ({
      [`${phase}_guardrails`]: [{ 'default.contains': { words: [word], operator: 'none' }, deny: true }],
    });
    const ask = async (more: JsonObject): Promise<string> => {
      const answer = await client(anthropic, more).completions.create({ model: 'any', prompt, stream }).asResponse();
      return answer.text();
    };
    await expect(ask(denies('input', 'upon'))).rejects.toMatchObject({ status: 446 });
    expect(heard).toEqual([]);
    const denied = await ask(denies('output', 'bridge')).catch((error: unknown) => String(error));
    expect(denied).not.toContain('there was');
    expect(await ask(denies('output', 'dragon'))).toContain(stream ? '[DONE]' : 'bridge');
  });

  it('ends with an error, without [DONE], if its stream breaks off', async () => {
    world.upstream.handle((call) => {
      const stream = call.sse();
      const usageAt = { input_tokens: 9, output_tokens: 1 };
      const message = { id: 'm', type: 'message', role: 'assistant', model: 'claude', content: [], usage: usageAt };
      stream.frame({ type: 'message_start', message }, 'message_start');
      const block = { type: 'text', text: '' };
      stream.frame({ type: 'content_block_start', index: 0, content_block: block }, 'content_block_start');
      const delta = { type: 'text_delta', text: 'there' };
      stream.frame({ type: 'content_block_delta', index: 0, delta }, 'content_block_delta');
      stream.end();
    });
    const answer = await client(anthropic).completions.create({ model: 'any', prompt, stream: true }).asResponse();
    const text = await answer.text();
    expect(text).toContain('there');
    expect(text).toContain('stream-cut');
    expect(text).not.toContain('[DONE]');
  });
});
