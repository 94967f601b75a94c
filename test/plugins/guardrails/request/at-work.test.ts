import { describe, expect, it } from 'vitest';
import type { Route } from '../../../../plugins/sdk/exchange/exchange.ts';
import { runConfig } from '../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../support/in-process/stub-upstreams.ts';
import { openaiAnswer } from '../../../support/vendors/openai-wire.ts';

const whitelist = { modelWhitelist: { models: ['bad'], not: true, failOnError: true } };

/** Returns the status for a request whose model must not be `bad`. */
const statusFor = async (
  body: object,
  { check, override, route }: { check?: object; override?: string; route?: Route } = {},
): Promise<number> => {
  const { handle } = runConfig(
    {
      provider: 'openai',
      api_key: '${env:KEY}',
      input_guardrails: [{ ...(check ?? whitelist), deny: true }],
      ...(override === undefined ? {} : { override_params: { model: override } }),
    },
    { upstream: () => stubAnswer(openaiAnswer({ text: 'hi' })) },
  );
  const exchange = sampleExchange(JSON.parse(JSON.stringify(body)), route === undefined ? {} : { route });
  return (await handle(exchange)).status;
};

const messages = [{ role: 'user', content: 'hi' }];

describe('a check of the model', () => {
  it('judges the called model, however the request names it', async () => {
    expect(await statusFor({ model: 'good', messages })).toBe(200);
    expect(await statusFor({ model: 'bad', messages })).toBe(446);
    expect(await statusFor({ model: '@openai/bad', messages })).toBe(446);
    expect(await statusFor({ model: '@openai/good', messages })).toBe(200);
  });

  it('judges the model of the target instead of the model in the request', async () => {
    expect(await statusFor({ model: 'bad', messages }, { override: 'good' })).toBe(200);
    expect(await statusFor({ model: 'good', messages }, { override: 'bad' })).toBe(446);
  });

  it('judges the model as a parameter too', async () => {
    const check = { requestParametersCheck: { params: { values: { model: { blockedValues: ['bad'] } } } } };
    expect(await statusFor({ model: '@openai/bad', messages }, { check })).toBe(446);
    expect(await statusFor({ model: '@openai/good', messages }, { check })).toBe(200);
  });

  it('judges the model in a path', async () => {
    const contents = [{ parts: [{ text: 'hi' }] }];
    const route = (model: string): Route => ({ operation: 'converse', dialect: 'gemini', model, stream: false });
    expect(await statusFor({ contents }, { route: route('good') })).toBe(200);
    expect(await statusFor({ contents }, { route: route('bad') })).toBe(446);
    expect(await statusFor({ contents }, { route: route('@openai/bad') })).toBe(446);
    expect(await statusFor({ contents }, { route: route('good'), override: 'bad' })).toBe(446);
  });
});
