import { describe, expect, it } from 'vitest';
import { type AnswerRetry, defineGuardrail, type Verdict } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { definePlugin, type Plugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import { createCancellation } from '../../../../plugins/testkit/route/cancellation.ts';
import { receiveBody } from '../../../../plugins/testkit/route/received-body.ts';
import { errorReport } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { hanging, type StubHandler, stubAnswer } from '../../../support/in-process/stub-upstreams.ts';
import { asking, type CheckedConfig, chatSaying, checkedConfig } from '../../../support/plans/checked-config.ts';
import { openaiStream } from '../../../support/vendors/openai-wire.ts';

const say = 'Say "good".';

/** Requires the answer to be "good", and otherwise requests another one. */
const wantsGood = (retry: AnswerRetry = { say }, retries = true, onAsked = (): void => {}): Plugin =>
  definePlugin({
    name: 'good',
    guardrails: [
      defineGuardrail({
        id: 'good.answer',
        parameters: { type: 'object', properties: {} },
        retries: () => retries,
        create:
          () =>
          ({ spans }): Verdict => {
            onAsked();
            const texts = spans.map(({ text }) => text);
            return { pass: texts.every((text) => text === 'good'), data: { texts }, retry };
          },
      }),
    ],
  });

const denying = { output_guardrails: [{ 'good.answer': {}, deny: true }] };
const marking = { output_guardrails: [{ 'good.answer': {} }] };

/** Each attempt gets the next of these answers, and the last one is repeated. */
const inTurn = (...answers: readonly StubHandler[]): StubHandler => {
  let next = 0;
  return (request, scope) => {
    const answer = answers[Math.min(next, answers.length - 1)];
    next += 1;
    if (answer === undefined) throw new RangeError('There is no answer.');
    return answer(request, scope);
  };
};
const saying =
  (text: string): StubHandler =>
  () =>
    stubAnswer(chatSaying(text));
const streaming =
  (text: string): StubHandler =>
  () =>
    stubAnswer(openaiStream({ text }).join(''), { headers: ['content-type', 'text/event-stream'] });
const failing: StubHandler = () => stubAnswer({ error: { message: 'broken', type: 'server_error' } }, { status: 500 });

const world = (config: JsonObject, upstream: StubHandler, plugin = wantsGood()): CheckedConfig =>
  checkedConfig(config, {}, { upstream, plugins: [plugin] });

const question = asking('How is it?', { seed: 7, user: 'u', unknown_member: { kept: true } });
const readVerdicts = (json: JsonObject): unknown => json.hook_results;

describe('an answer that checks ask to retry', () => {
  it.each([
    ['denies', denying],
    ['marks', marking],
  ])('is replaced by the second one if the check %s', async (_what, config) => {
    const { ask, sent } = world(config, inTurn(saying('bad'), saying('good')));
    const { response, json } = await ask(question);
    expect(response).toMatchObject({ status: 200, leaf: { retries: 1 } });
    expect(json).toMatchObject({
      choices: [{ message: { content: 'good' } }],
      hook_results: { after_request_hooks: [{ verdict: true, checks: [{ verdict: true, retried: true }] }] },
    });
    expect(sent()).toEqual([
      question,
      {
        ...question,
        messages: [
          { role: 'user', content: 'How is it?' },
          { role: 'assistant', content: 'bad' },
          { role: 'user', content: say },
        ],
      },
    ]);
  });

  it('is not retried if it passes', async () => {
    const { ask, sent } = world(denying, saying('good'));
    expect((await ask(question)).json.hook_results).not.toHaveProperty('after_request_hooks.0.checks.0.retried');
    expect(sent()).toHaveLength(1);
  });

  it('is retried only once, and a second wrong answer is judged as it is', async () => {
    const { ask, sent } = world(denying, inTurn(saying('bad'), saying('worse')));
    const { response, json } = await ask(question);
    expect(response).toMatchObject({ status: 446, leaf: { retries: 1 } });
    expect(readVerdicts(json)).toMatchObject({
      after_request_hooks: [{ deny: true, checks: [{ data: { texts: ['worse'] }, retried: true }] }],
    });
    expect(sent()).toHaveLength(2);
  });

  it.each<[string, StubHandler]>([
    ['a 500', failing],
    ['an answer that is not JSON', () => stubAnswer('<p>', { headers: ['content-type', 'text/html'] })],
    [
      'no connection',
      () => ({ kind: 'failure', error: errorReport('connection-lost', { host: 'stub', reason: 'reset' }) }),
    ],
  ])('remains the first one with its verdict if the second attempt gets %s', async (_what, second) => {
    const denied = await world(denying, inTurn(saying('bad'), second)).ask(question);
    expect(denied.response).toMatchObject({ status: 446, origin: 'check', leaf: { retries: 1 } });
    expect(readVerdicts(denied.json)).toMatchObject({
      after_request_hooks: [{ checks: [{ data: { texts: ['bad'] } }] }],
    });
    const marked = await world(marking, inTurn(saying('bad'), second)).ask(question);
    expect(marked.response).toMatchObject({ status: 246, origin: 'upstream', leaf: { retries: 1 } });
    expect(marked.json).toMatchObject({ choices: [{ message: { content: 'bad' } }] });
  });

  it('has both attempts and both verdicts in the trail', async () => {
    const { handle } = world(denying, inTurn(saying('bad'), saying('good')));
    const exchange = sampleExchange(question);
    await handle(exchange);
    expect(exchange.trail).toMatchObject([
      { kind: 'attempted', attempt: 1, status: 200 },
      { kind: 'checked', result: 'denied' },
      { kind: 'attempted', attempt: 2, status: 200 },
      { kind: 'checked', result: 'passed' },
    ]);
  });

  it('is retried once for all retries of a target, which send the original request', async () => {
    const { ask, sent } = world({ ...denying, retry: { attempts: 2, on_status_codes: [446] } }, saying('bad'));
    expect((await ask(question)).response).toMatchObject({ status: 446 });
    expect(sent().map(({ messages }) => (messages as JsonObject[]).length)).toEqual([1, 3, 1, 1]);
  });

  it('leaves the original request, and a retry of its own, to the next target of a fallback', async () => {
    const target = { provider: 'openai', api_key: '${env:KEY}', ...denying };
    const { ask, sent } = world(
      { strategy: { mode: 'fallback', on_status_codes: [446] }, targets: [target, target] },
      inTurn(saying('bad'), saying('worse'), saying('bad'), saying('good')),
    );
    expect((await ask(question)).json).toMatchObject({ choices: [{ message: { content: 'good' } }] });
    expect(sent().map(({ messages }) => (messages as JsonObject[]).length)).toEqual([1, 3, 1, 3]);
  });

  it('is retried with the choice that was wrong', async () => {
    const choices = (...texts: readonly string[]): StubHandler => {
      const all = texts.map((content, index) => ({
        index,
        message: { role: 'assistant', content },
        finish_reason: 'stop',
      }));
      return () => stubAnswer({ ...chatSaying(''), choices: all });
    };
    const schema = { type: 'array' };
    const { ask, sent } = world(
      { output_guardrails: [{ 'default.jsonSchema': { schema, repair: true }, deny: true }] },
      inTurn(choices('[1]', '{}'), choices('[1]', '[2]')),
    );
    expect((await ask({ ...question, n: 2 })).response.status).toBe(200);
    expect(sent()[1]).toMatchObject({
      n: 2,
      messages: [{}, { content: '{}' }, { content: expect.stringContaining('array') }],
    });
  });

  it('is cached in its second version', async () => {
    const { ask, sent } = world({ ...denying, cache: { mode: 'simple' } }, inTurn(saying('bad'), saying('good')));
    await ask(question);
    expect((await ask(question)).json).toMatchObject({ choices: [{ message: { content: 'good' } }] });
    expect(sent()).toHaveLength(2);
  });

  it('is metered for both attempts', async () => {
    const { handle } = checkedConfig(
      denying,
      {},
      {
        upstream: inTurn(saying('bad'), saying('good')),
        plugins: [wantsGood()],
        usage: true,
      },
    );
    const exchange = sampleExchange(question);
    await handle(exchange);
    const settled = exchange.trail.filter(({ kind }) => kind === 'settled');
    expect(settled).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
  });

  it('is not retried if the turns cannot be sent, so that the first one counts', async () => {
    const target = { provider: 'openai', api_key: '${env:KEY}', ...denying };
    const { ask, sent } = checkedConfig(
      target,
      {},
      {
        upstream: saying('bad'),
        plugins: [wantsGood()],
        onLoss: 'refuse',
      },
    );
    expect((await ask({ ...question, messages: [{ role: 'nobody', content: 'x' }] })).response.status).toBe(446);
    expect(sent()).toHaveLength(1);
  });

  it('is included in the call bounds of the plan', () => {
    expect(world(denying, failing).plan.bounds.calls).toBe(2);
    expect(world({ ...denying, retry: { attempts: 2 } }, failing).plan.bounds.calls).toBe(4);
    expect(world(denying, failing, wantsGood({ say }, false)).plan.bounds.calls).toBe(1);
    const background = { output_guardrails: [{ 'good.answer': {}, async: true }] };
    expect(world(background, failing).plan.bounds.calls).toBe(1);
  });
});

describe('no further attempt is made', () => {
  const notAgain = async (config: JsonObject, upstream: StubHandler, plugin = wantsGood()): Promise<void> => {
    const { ask, sent } = world(config, upstream, plugin);
    await ask(question);
    expect(sent()).toHaveLength(1);
  };

  it('for a check that does not declare it', () => notAgain(denying, saying('bad'), wantsGood({ say }, false)));

  it.each<[string, AnswerRetry]>([
    ['an empty text', { say: '' }],
    ['a text that is too long', { say: 'a'.repeat(20_001) }],
    ['a choice that is not an integer', { say, choice: 0.5 }],
  ])('if the retry specifies %s', (_what, retry) => notAgain(denying, saying('bad'), wantsGood(retry)));

  it('for a choice that the answer does not have', () =>
    notAgain(denying, saying('bad'), wantsGood({ say, choice: 3 })));

  it('if another check fails that does not ask for a retry', () =>
    notAgain(
      {
        output_guardrails: [
          { 'good.answer': {}, deny: true },
          { 'default.contains': { words: ['x'], operator: 'any' } },
        ],
      },
      saying('bad'),
    ));

  it('after a tool call, which needs a result', () =>
    notAgain(denying, () =>
      stubAnswer(
        chatSaying('bad', {
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":"b"}' } }],
        }),
      ),
    ));

  it('after an answer without text', () => notAgain(denying, () => stubAnswer(chatSaying('', { refusal: 'no' }))));

  it('for a text completion, which has no turns', async () => {
    const completion = { id: 'c', object: 'text_completion', created: 1, model: 'm' };
    const { handle, sent } = world(denying, () =>
      stubAnswer({ ...completion, choices: [{ index: 0, text: 'bad', finish_reason: 'stop' }] }),
    );
    const route = { operation: 'complete', dialect: 'completions' } as const;
    expect((await handle(sampleExchange({ model: 'm', prompt: 'x' }, { route }))).status).toBe(446);
    expect(sent()).toHaveLength(1);
  });

  it('for a client that disconnected', async () => {
    const { cancellation, cancel } = createCancellation();
    const { handle, upstreams } = world(denying, saying('bad'), wantsGood({ say }, true, cancel));
    await handle(sampleExchange(question, { cancellation }));
    expect(upstreams.requests).toHaveLength(1);
  });
});

describe('a stream that checks ask to retry', () => {
  const streamed = { ...question, stream: true };
  const readText = async (config: JsonObject, ...answers: readonly StubHandler[]) => {
    const { handle, sent } = world(config, inTurn(...answers));
    const response = await handle(sampleExchange(streamed, { overrides: { strict: false } }));
    const { bytes } = await receiveBody(response.body);
    return { response, text: Buffer.from(bytes).toString(), sent: sent() };
  };

  it.each([
    ['denies', denying],
    ['marks', marking],
  ])('is held, and replaced by the second one if the check %s', async (_what, config) => {
    const { response, text, sent } = await readText(config, streaming('bad'), streaming('good'));
    expect(response).toMatchObject({ status: 200, leaf: { retries: 1 } });
    expect(text).toContain('good');
    expect(text).not.toContain('"bad"');
    expect(text).toContain('"retried":true');
    expect(sent[1]).toMatchObject({
      stream: true,
      messages: [{}, { role: 'assistant', content: 'bad' }, { content: say }],
    });
  });

  it('is judged as it is if the second one is wrong too', async () => {
    const { response, text } = await readText(denying, streaming('bad'), streaming('worse'));
    expect(response.status).toBe(446);
    expect(text).toContain('"texts":["worse"]');
    const marked = await readText(marking, streaming('bad'), streaming('worse'));
    expect(marked.response.status).toBe(246);
    expect(marked.text).toContain('worse');
  });

  it('remains the first one if the second attempt fails', async () => {
    const { response, text } = await readText(marking, streaming('bad'), failing);
    expect(response).toMatchObject({ status: 246, leaf: { retries: 1 } });
    expect(text).toContain('"bad"');
    expect(text).toContain('[DONE]');
    const denied = await readText(denying, streaming('bad'), failing);
    expect(denied.response.status).toBe(446);
    expect(denied.text).toContain('"texts":["bad"]');
  });

  it('is still sent after the second attempt has timed out', async () => {
    const { response, text } = await readText(marking, streaming('bad'), hanging);
    expect(response).toMatchObject({ status: 246, leaf: { retries: 1 } });
    expect(text).toContain('[DONE]');
  });
});
