import { expect, it } from 'vitest';
import { adminKey, callControl, sharedStore } from '../../../support/gateways/stored-gateway.ts';

const gateway = sharedStore();

/** This many texts in a list that is nested nearly as deeply as a body may be. */
const nested = (count: number, text: string): string =>
  `${'['.repeat(900)}${Array(count).fill(JSON.stringify(text)).join(',')}${']'.repeat(900)}`;

const ask = async (config: object, content: string): Promise<Response> => {
  const answer = await fetch(`${gateway().baseUrl}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-gw-api-key': adminKey,
      'x-gw-config': JSON.stringify(config),
    },
    body: `{"model":"echo","messages":[{"role":"user","content":${content}}]}`,
  });
  await answer.clone().arrayBuffer();
  return answer;
};

const echo = { provider: 'echo' };

/** Takes longer than a minute of the gateway's time if each level of nesting costs as much as all texts together. */
const many = 600_000;

it('reads the start of a conversation once, however deeply its texts are nested', async () => {
  const sticky = { mode: 'loadbalance', sticky: { by: 'prompt-prefix' } };
  const answer = await ask({ strategy: sticky, targets: [echo, { ...echo, name: 'two' }] }, nested(many, ''));
  expect(answer.status).toBe(200);
}, 30_000);

it('reads the texts that checks judge once', async () => {
  const check = { 'default.contains': { words: ['never'], operator: 'none' } };
  expect((await ask({ ...echo, input_guardrails: [check] }, nested(many, ''))).status).toBe(200);
}, 30_000);

it('reads the texts of a control request once', async () => {
  const body = JSON.parse(`{"name":${nested(90_000, '')}}`);
  expect((await callControl(gateway(), 'POST /collections', { body })).status).toBe(400);
}, 10_000);
