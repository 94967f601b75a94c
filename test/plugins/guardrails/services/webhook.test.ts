import { describe, expect, it } from 'vitest';
import { log } from '../../../../plugins/guardrails/services/log.ts';
import { webhook } from '../../../../plugins/guardrails/services/webhook.ts';
import type { CheckAnswer, CheckRequest } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import type { Json } from '../../../../schema/json/json.ts';

const answers =
  (value: Json, status = 200) =>
  (): CheckAnswer => ({ status, headers: [], text: JSON.stringify(value) });
const webhookURL = 'https://hook.test/judge?key=s3cret';

describe('default.webhook', () => {
  it('returns the verdict of the webhook', () =>
    testGuardrail(webhook, [
      {
        parameters: { webhookURL },
        service: answers({ verdict: true, data: { score: 1 } }),
        verdict: 'pass',
        data: { webhookUrl: 'https://hook.test/judge', responseData: { score: 1 } },
      },
      { parameters: { webhookURL }, service: answers({ verdict: false }), verdict: 'fail' },
      { parameters: { webhookURL }, service: answers({ verdict: 'yes' }), verdict: 'error' },
      { parameters: { webhookURL }, service: answers([]), verdict: 'error' },
      { parameters: { webhookURL }, service: answers({ verdict: true }, 500), verdict: 'error' },
      { parameters: { webhookURL }, service: answers({ verdict: true }, 302), verdict: 'error' },
      { parameters: { webhookURL }, service: () => ({ status: 200, headers: [], text: 'ok' }), verdict: 'error' },
      { parameters: { webhookURL }, verdict: 'error' },
    ]));

  it('reports an error if it passes with a new body that is not an object', () =>
    testGuardrail(webhook, [
      ...['x', [], { request: 'x' }, { request: { json: 'x' } }, { request: { json: [{}] } }].map(
        (transformedData) => ({
          parameters: { webhookURL },
          service: answers({ verdict: true, transformedData }),
          verdict: 'error' as const,
        }),
      ),
      {
        parameters: { webhookURL },
        service: answers({ verdict: false, transformedData: { request: { json: 'x' } } }),
        verdict: 'fail',
      },
      ...[null, {}, { request: null }, { request: { json: null } }, { response: { json: 'x' } }].map(
        (transformedData) => ({
          parameters: { webhookURL },
          service: answers({ verdict: true, transformedData }),
          verdict: 'pass' as const,
        }),
      ),
    ]));

  it('sends the request in the documented form', async () => {
    const sent: CheckRequest[] = [];
    await testGuardrail(webhook, [
      {
        parameters: { webhookURL, headers: '{"X-Team":"a"}', secretHeaders: { Authorization: 'Bearer k' } },
        text: 'Say hi',
        request: { model: 'm', stream: true },
        metadata: { user: 'u' },
        service: (request) => {
          sent.push(request);
          return answers({ verdict: true })();
        },
        verdict: 'pass',
      },
    ]);
    expect(sent[0]).toMatchObject({
      url: webhookURL,
      headers: { 'content-type': 'application/json', 'x-team': 'a', authorization: 'Bearer k' },
    });
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual({
      request: { json: { model: 'm', stream: true }, text: 'Say hi', isStreamingRequest: true, isTransformed: false },
      response: { json: {}, text: '', statusCode: null, isTransformed: false },
      provider: 'openai',
      requestType: 'chatComplete',
      metadata: { user: 'u' },
      eventType: 'beforeRequestHook',
    });
  });

  it('forwards the named headers of the client, unless the config has its own', async () => {
    const sent: CheckRequest[] = [];
    await testGuardrail(webhook, [
      {
        parameters: { webhookURL, headers: { 'x-team': 'a' }, forwardHeaders: ['X-User', 'x-team', 'x-gw-trace-id'] },
        headers: ['x-user', 'u', 'X-Team', 'b', 'x-gw-trace-id', 't', 'X-User', 'v', 'x-other', 'o'],
        service: (request) => {
          sent.push(request);
          return answers({ verdict: true })();
        },
        verdict: 'pass',
      },
      ...[
        'Authorization',
        'cookie',
        'x-api-key',
        'x-gw-metadata',
        'connection',
        'Host',
        'x-litellm-api-key',
        'a b',
      ].map((name) => ({ parameters: { webhookURL, forwardHeaders: [name] }, verdict: 'refused' as const })),
    ]);
    expect(sent[0]?.headers).toEqual({
      'content-type': 'application/json',
      ...{ 'x-team': 'a', 'x-user': 'u, v', 'x-gw-trace-id': 't' },
    });
  });

  it('sends the answer as well, once there is one', async () => {
    const sent: CheckRequest[] = [];
    await testGuardrail(webhook, [
      {
        parameters: { webhookURL },
        phase: 'output',
        text: 'Hi!',
        answer: { id: 'a' },
        dialect: 'messages',
        service: (request) => {
          sent.push(request);
          return answers({ verdict: true })();
        },
        verdict: 'pass',
      },
    ]);
    expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({
      request: { text: '' },
      response: { json: { id: 'a' }, text: 'Hi!', statusCode: 200 },
      requestType: 'messages',
      eventType: 'afterRequestHook',
    });
  });

  it('rejects invalid URLs and headers, and secrets where everyone can read them', () =>
    testGuardrail(webhook, [
      { parameters: {}, verdict: 'refused' },
      { parameters: { webhookURL: 'hook.test' }, verdict: 'refused' },
      { parameters: { webhookURL: 'ftp://hook.test/' }, verdict: 'refused' },
      { parameters: { webhookURL: 'https://user:pass@hook.test/' }, verdict: 'refused' },
      { parameters: { webhookURL, headers: 'x-team: a' }, verdict: 'refused' },
      { parameters: { webhookURL, headers: { 'x-team': 1 } }, verdict: 'refused' },
      { parameters: { webhookURL, headers: { 'x team': 'a' } }, verdict: 'refused' },
      { parameters: { webhookURL, headers: { Authorization: 'Bearer k' } }, verdict: 'refused' },
      { parameters: { webhookURL, headers: '{"X-Api-Key":"k"}' }, verdict: 'refused' },
    ]));

  it('has a time-out of three seconds by default', () => {
    expect(webhook.timeoutMs?.({})).toBe(3000);
  });
});

describe('default.log', () => {
  const logURL = 'https://log.test/in?key=s3cret';

  it('passes once the service has received the request', () =>
    testGuardrail(log, [
      {
        parameters: { logURL },
        service: () => ({ status: 204, headers: [], text: '' }),
        verdict: 'pass',
        data: { logUrl: 'https://log.test/in' },
      },
      { parameters: { logURL }, service: answers({ verdict: false }), verdict: 'pass' },
      { parameters: { logURL }, service: answers({}, 500), verdict: 'error' },
      { parameters: { logURL }, verdict: 'error' },
      { parameters: { logURL: 'log' }, verdict: 'refused' },
      { parameters: { logURL, headers: { cookie: 'a' } }, verdict: 'refused' },
      { parameters: {}, verdict: 'refused' },
    ]));
});
