import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { runConfig, toJson } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';

const denying = {
  ...{ provider: 'openai', api_key: '${env:KEY}' },
  input_guardrails: [{ 'default.contains': { words: ['bomb'], operator: 'none' }, deny: true }],
};

const image = { type: 'image_url', image_url: { url: 'https://example.org/a.png' } };

const denied = async (body: JsonObject): Promise<string> => {
  const response = await runConfig(denying, { upstream: () => stubAnswer({}) }).handle(
    sampleExchange(body, { route: { operation: 'converse', dialect: 'chat' } }),
  );
  expect(response.status).toBe(446);
  return JSON.stringify(toJson(response));
};

describe('a request that no check can read', () => {
  it('is called valid if it contains only an image', async () => {
    const text = await denied({ model: 'm', messages: [{ role: 'user', content: [image] }] });
    expect(text).toContain('The request is valid, but it has only an image');
    expect(text).toContain('Add a text, or do not name the check in configs for such requests.');
  });

  it.each<[string, JsonObject]>([
    ['has no messages', { model: 'm' }],
    [
      'has an image in an unknown format',
      { model: 'm', messages: [{ role: 'user', content: [{ ...image, image_url: 1 }] }] },
    ],
  ])('is called invalid if it %s', async (_, body) => {
    const text = await denied(body);
    expect(text).toContain(
      "The request is not valid in the chat dialect. Correct it according to that API's documentation.",
    );
    expect(text).not.toContain('is valid, but');
  });
});
