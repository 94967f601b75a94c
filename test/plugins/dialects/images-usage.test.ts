import { expect, it } from 'vitest';
import { findUsage } from '../../../plugins/dialects/images/usage.ts';

const data = [{ b64_json: 'AAAA' }];
const read = { input: 50, output: 60, cacheRead: 30, inputImage: 40, outputImage: 20, calls: { image: 1 } };

it.each([
  [
    'as OpenAI names them',
    {
      ...{ input_tokens: 50, output_tokens: 60, total_tokens: 110 },
      input_tokens_details: { cached_tokens: 30, image_tokens: 40 },
      output_tokens_details: { image_tokens: 20 },
    },
  ],
  [
    'as OpenRouter names them',
    {
      ...{ prompt_tokens: 50, completion_tokens: 60, total_tokens: 110 },
      prompt_tokens_details: { cached_tokens: 30, image_tokens: 40 },
      completion_tokens_details: { image_tokens: 20 },
    },
  ],
])('reads image tokens %s', (_, usage) => {
  expect(findUsage({ created: 1, data, usage })).toMatchObject(read);
});
