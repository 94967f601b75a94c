import { describe, expect, it } from 'vitest';
import { converseCount } from '../../../../plugins/dialects/converse-count/converse-count.ts';
import { geminiCount } from '../../../../plugins/dialects/gemini-count/gemini-count.ts';
import type { Dialect } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { here } from '../support/codecs.ts';

const claude = { anthropic_version: 'bedrock-2023-05-31', messages: [{ role: 'user', content: 1 }] };

describe('a rejected request to count tokens', () => {
  it.each<[string, Dialect, JsonObject]>([
    ['input.converse.messages[0].role must', converseCount, { input: { converse: { messages: [{ role: 'tool' }] } } }],
    [
      'input.invokeModel.body.messages[0].content must',
      converseCount,
      { input: { invokeModel: { body: Buffer.from(JSON.stringify(claude)).toString('base64') } } },
    ],
    [
      'generateContentRequest.contents[0].role must',
      geminiCount,
      { generateContentRequest: { contents: [{ role: 'tool', parts: [] }] } },
    ],
    ['contents[0].role must', geminiCount, { contents: [{ role: 'tool', parts: [] }] }],
  ])('names the member by its path in the whole body: %s', (named, { count }, body) => {
    expect(() => count?.decodeRequest(body, here)).toThrow(`dialect: ${named}`);
  });
});
