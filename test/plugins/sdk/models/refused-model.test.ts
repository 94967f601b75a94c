import { expect, it } from 'vitest';
import { allowsModel } from '../../../../plugins/sdk/models/allows-model.ts';
import type { NamedModels } from '../../../../plugins/sdk/models/named-models.ts';
import { modelNotAllowed, refusedModel } from '../../../../plugins/sdk/models/refused-model.ts';

const allows = allowsModel({ only: ['a', 'b'] });

const named = (model: string, ...further: readonly string[]): NamedModels => ({ kind: 'named', model, further });

it.each<readonly [string, NamedModels, string | undefined]>([
  ['no model if the request names none', { kind: 'none' }, undefined],
  ['no model if it is unclear which one is called', { kind: 'unclear', reason: 'it names two.' }, undefined],
  ['no model if all are allowed', named('a', 'b'), undefined],
  ['the called model before any other', named('c', 'd'), 'c'],
  ['the first disallowed one of the further models', named('a', 'b', 'd', 'e'), 'd'],
])('refuses %s', (_, models, refused) => {
  expect(refusedModel(models, allows)).toBe(refused);
});

it('shows at most 100 characters of a model name', () => {
  const { report, message } = modelNotAllowed('mine', `${'m'.repeat(100)}secret`);
  expect(report.code).toBe('model-not-allowed');
  expect(message).toContain(`the model "${'m'.repeat(100)}"`);
});
