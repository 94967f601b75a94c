import { expect, it } from 'vitest';
import { allowsModel } from '../../../../plugins/sdk/models/allows-model.ts';

it.each([
  'gpt-4o',
  'GPT-4o',
  ' gpt-4o ',
  'openai/gpt-4o',
  'openai/GPT-4O',
  'models/gpt-4o',
  'publishers/google/models/gpt-4o',
  'publishers/anthropic/models/gpt-4o',
  'accounts/fireworks/models/gpt-4o',
  'accounts/acme/models/gpt-4o',
  'us.openai.gpt-4o',
  'arn:aws:bedrock:us-east-1::foundation-model/openai.gpt-4o',
  'gpt-4o:latest',
  'gpt-4o#deployment',
])('an excluded model is also excluded when it is written as %j', (model) => {
  expect(allowsModel({ except: ['gpt-4o'] })(model)).toBe(false);
  expect(allowsModel({ except: ['openai/gpt-4o', 'models/GPT-4o'] })(model)).toBe(false);
});

it.each(['gpt-4o-mini', 'not-gpt-4o', 'gpt-4', 'gpt-4o/other'])(
  '%j is a different model than the excluded one',
  (model) => {
    expect(allowsModel({ except: ['gpt-4o'] })(model)).toBe(true);
  },
);

it.each([
  ['gpt-4o', true],
  ['models/gpt-4o', true],
  ['publishers/google/models/gpt-4o', true],
  ['publishers/anthropic/models/gpt-4o', true],
  ['GPT-4o', false],
  ['openai/gpt-4o', false],
  ['accounts/acme/models/gpt-4o', false],
])('a list with only one allowed model allows %j: %s', (model, isAllowed) => {
  expect(allowsModel({ only: ['gpt-4o'] })(model)).toBe(isAllowed);
});
