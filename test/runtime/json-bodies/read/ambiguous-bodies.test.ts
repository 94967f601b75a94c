import { describe, expect, it } from 'vitest';
import type { ClientRequest } from '../../../../plugins/sdk/exchange/exchange.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { runConfig } from '../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../support/in-process/stub-upstreams.ts';

const openai = { provider: 'openai', api_key: '${env:KEY}' };
const bytes = Buffer.from('{"model":"a","model":"b"}');
const request: ClientRequest = { method: 'POST', path: '/', headers: [], body: { kind: 'bytes', bytes } };
const answer = (config: JsonObject) =>
  runConfig(config, { upstream: () => stubAnswer({}) }).handle(sampleExchange({ model: 'b' }, { request }));

describe('a body with a repeated key', () => {
  it('is rejected if a condition reads it, and forwarded if none does', async () => {
    const conditional = {
      strategy: { mode: 'conditional', conditions: [{ query: { 'params.model': 'b' }, then: 'x' }], default: 'y' },
      targets: [
        { ...openai, name: 'x' },
        { ...openai, name: 'y', custom_host: 'https://own.example' },
      ],
    };
    expect(await answer(conditional)).toMatchObject({ status: 400, cause: 'malformed-body' });
    expect(await answer(openai)).toMatchObject({ status: 200 });
  });
});
