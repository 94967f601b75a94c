import { expect, it } from 'vitest';
import { allowsModel } from '../../../../plugins/sdk/models/allows-model.ts';
import type { NamedModels } from '../../../../plugins/sdk/models/named-models.ts';
import { modelNotAllowed, refusedModel } from '../../../../plugins/sdk/models/refused-model.ts';

const allows = allowsModel({ only: ['a', 'b'] });

const named = (model: string, ...further: readonly string[]): NamedModels => ({ kind: 'named', model, further });

it.each<readonly [string, NamedModels, string | undefined]>([
  ['none of a request that names none', { kind: 'none' }, undefined],
  ['none where it is not clear what is called', { kind: 'unclear', reason: 'it names two.' }, undefined],
  ['none of those that are allowed', named('a', 'b'), undefined],
  ['the model that is called, before any other', named('c', 'd'), 'c'],
  ['the first of those that are called on its behalf', named('a', 'b', 'd', 'e'), 'd'],
])('refuses %s', (_, models, refused) => {
  expect(refusedModel(models, allows)).toBe(refused);
});

it('shows at most 100 characters of a model name', () => {
  const { report, message } = modelNotAllowed('mine', `${'m'.repeat(100)}secret`);
  expect(report.code).toBe('model-not-allowed');
  expect(message).toContain(`the model "${'m'.repeat(100)}"`);
});
