import { describe, expect, it } from 'vitest';
import { type CheckAnswer, type CheckRequest, defineGuardrail } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { definePlugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import { neverCancelled } from '../../../../plugins/testkit/route/cancellation.ts';
import { createVirtualClock } from '../../../../plugins/testkit/route/virtual-clock.ts';
import { Deadlines } from '../../../../runtime/async/deadlines.ts';
import { checkHttp } from '../../../../runtime/engine/guardrail-checks/check-http.ts';
import { Placeholders } from '../../../../runtime/engine/guardrail-checks/placeholders.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { runConfig, toJson } from '../../../support/in-process/run-config.ts';
import { sampleExchange, toTenant } from '../../../support/in-process/sample-exchange.ts';
import { createStubUpstreams, type StubHandler, stubAnswer } from '../../../support/in-process/stub-upstreams.ts';

const question = { model: 'm', messages: [{ role: 'user', content: 'a question' }] };
const chatAnswer = {
  id: 'a',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'an answer' }, finish_reason: 'stop' }],
};

type Request = Omit<CheckRequest, 'cancellation'>;

/** A gateway whose only check sends this request to the service at `scan.test`. */
const world = (request: Request, service: StubHandler, trust: 'operator' | 'caller' = 'operator') => {
  const answers: CheckAnswer[] = [];
  const calls = defineGuardrail({
    id: 'test.calls',
    parameters: { type: 'object', properties: {} },
    create:
      (_own, { http }) =>
      async ({ cancellation }) => {
        answers.push(await http.send({ ...request, cancellation }));
        return { pass: true, data: {} };
      },
  });
  const config = {
    provider: 'openai',
    api_key: trust === 'operator' ? '${env:KEY}' : 'sk-caller',
    before_request_hooks: [{ id: 'h', type: 'guardrail', checks: [{ id: 'test.calls', parameters: {} }] }],
  };
  const running = runConfig(config, {
    upstream: (sent, scope) =>
      sent.origin === 'https://api.openai.com' ? stubAnswer(chatAnswer) : service(sent, scope),
    plugins: [definePlugin({ name: 'calls', guardrails: [calls] })],
    trust,
  });
  const handle = async (): Promise<JsonObject> => {
    const exchange = sampleExchange(question, { secrets: running.secrets });
    const response = await running.clock.settle(running.handle(exchange));
    return toJson(response) as JsonObject;
  };
  return { ...running, answers, handle };
};

const readError = async (answer: Promise<JsonObject>): Promise<unknown> => {
  const { hook_results: results } = (await answer) as {
    readonly hook_results: {
      readonly before_request_hooks: readonly { readonly checks: readonly { readonly error?: JsonObject }[] }[];
    };
  };
  return results.before_request_hooks[0]?.checks[0]?.error?.message;
};

describe('requests of checks', () => {
  it('go to the service unchanged, and are answered whatever the status', async () => {
    const { handle, answers, upstreams } = world(
      { url: 'https://scan.test/v1/scan?x=1', headers: { 'x-key': 'k' }, body: '{"text":"hi"}' },
      () => stubAnswer({ flagged: true }, { status: 422 }),
    );
    await handle();
    expect(upstreams.requests[0]).toMatchObject({
      method: 'POST',
      origin: 'https://scan.test',
      path: '/v1/scan?x=1',
      headers: ['x-key', 'k', 'content-type', 'application/json'],
    });
    expect(answers).toMatchObject([{ status: 422, text: '{"flagged":true}' }]);
  });

  it('fail if the answer is larger than the check accepts', async () => {
    const { handle } = world({ url: 'https://scan.test/', maxBytes: 4 }, () => stubAnswer('12345'));
    expect(await readError(handle())).toMatch(/4/);
  });

  it('must use HTTP, with a URL without credentials', async () => {
    const answer = () => stubAnswer('{}');
    expect(await readError(world({ url: 'https://user:pw@scan.test/' }, answer).handle())).toBe(
      'The URL must not contain credentials.',
    );
    expect(await readError(world({ url: 'file:///etc/passwd' }, answer).handle())).toBe(
      'The URL must begin with https:// or http://.',
    );
  });
});

describe('the host of a request', () => {
  const send = async (callerPlan: boolean, request: Partial<CheckRequest>) => {
    const stub = createStubUpstreams(() => stubAnswer(Buffer.from([0xff])));
    const clock = createVirtualClock();
    const http = checkHttp({
      ports: {
        upstreams: {
          ...stub,
          findHostError: (url) =>
            url.includes('inside') ? { reason: 'it is not public.', listable: true } : undefined,
        },
      },
      deadlines: new Deadlines(clock),
      callerPlan,
    });
    const answer = http.send({ url: 'https://inside.test/', cancellation: neverCancelled, ...request });
    return { answer: await answer.catch((error: Error) => error.message), opened: stub.opened };
  };

  it('may be any that the egress permits if an operator’s config names it', async () => {
    const { answer, opened } = await send(false, {});
    expect(answer).toMatchObject({ status: 200, bytes: Buffer.from([0xff]), text: '\ufffd' });
    expect(opened).toEqual([{ origin: 'https://inside.test', operatorHost: true }]);
  });

  it.each([
    ['a caller’s config', true, {}],
    ['a request or an answer', false, { urlFromText: true }],
  ])('must be one that callers may name if %s names it', async (_who, callerPlan, request) => {
    expect(await send(callerPlan, request)).toEqual({
      answer: "The host of the check's URL is not allowed: it is not public.",
      opened: [],
    });
    const { opened } = await send(callerPlan, { ...request, url: 'https://a.test/' });
    expect(opened).toEqual([{ origin: 'https://a.test', operatorHost: false }]);
  });
});

describe('placeholders', () => {
  const name = (tenant: string, kind: string, text: string, key = 'k') =>
    new Placeholders(key).name(toTenant(tenant), { kind, text });

  it('are the same only for the same tenant, kind, text and key', () => {
    const first = name('t', 'EMAIL', 'a@b.c');
    expect(first).toMatch(/^\[EMAIL_[0-9a-f]{12}\]$/);
    expect(name('t', 'EMAIL', 'a@b.c')).toBe(first);
    const others = [
      name('u', 'EMAIL', 'a@b.c'),
      name('t', 'PHONE', 'a@b.c'),
      name('t', 'EMAIL', 'a@b.d'),
      name('t', 'EMAIL', 'a@b.c', 'another key'),
    ];
    expect(new Set([first, ...others].map((each) => each.slice(-13))).size).toBe(5);
  });

  it('differ between processes if there is no key', () => {
    const of = () => new Placeholders(undefined).name(toTenant('t'), { kind: 'EMAIL', text: 'a@b.c' });
    expect(of()).not.toBe(of());
  });
});
