import { expect, it } from 'vitest';
import { describeCondition } from '../../../compiler/cli/explain/describe-condition.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { readPlan } from '../../support/plans/compiled.ts';

const described = (query: JsonObject): string => {
  const { root } = readPlan({
    strategy: { mode: 'conditional', conditions: [{ query, then: 'a' }], default: 'b' },
    targets: [
      { provider: '@openai-prod', name: 'a' },
      { provider: '@azure-prod', name: 'b' },
    ],
  });
  return root.kind === 'conditional' ? root.cases.map(({ when }) => describeCondition(when)).join('; ') : '';
};

it.each<[JsonObject, string]>([
  [{ 'params.tools': { $exists: true } }, 'params.tools exists'],
  [{ 'metadata.tier': { $not: { $exists: true } } }, 'metadata.tier does not exist'],
  [{ 'params.modalities': { $all: ['text', 'audio'] } }, 'params.modalities contains "text" and "audio"'],
  [{ 'params.tools': { $size: 1 } }, 'params.tools has 1 element'],
  [{ 'params.tools': { $size: 2 } }, 'params.tools has 2 elements'],
  [{ 'params.n': { $not: { $gt: 5 } } }, 'not (params.n is above 5)'],
  [{ 'params.n': { $not: { $gt: 5, $ne: 9 } } }, 'not (params.n is above 5) or params.n is 9'],
  [{ 'params.stop': { $elemMatch: { $regex: '^END' } } }, 'params.stop has an element that matches /^END/'],
  [
    { 'params.x': { $elemMatch: { $gt: 1, $lt: 5 } }, 'params.y': 1 },
    'params.x has an element that (is above 1 and is below 5) and params.y is 1',
  ],
  [
    { 'params.messages': { $elemMatch: { role: 'user', content: { $elemMatch: { type: 'image_url' } } } } },
    'params.messages has an element where (content has an element where type is "image_url" and role is "user")',
  ],
])('%j is described as "%s"', (query, text) => {
  expect(described(query)).toBe(text);
});
