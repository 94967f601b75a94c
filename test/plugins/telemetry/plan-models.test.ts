import { expect, it } from 'vitest';
import { planModels } from '../../../plugins/telemetry/plan-models.ts';
import { compileConfig } from '../../support/plans/compile-config.ts';

const target = (name: string, more: object = {}): object => ({
  name,
  provider: 'openai',
  api_key: '${env:KEY}',
  ...more,
});

it('finds the models of targets and the models that conditions compare with', () => {
  const plan = compileConfig(
    JSON.stringify({
      strategy: {
        mode: 'conditional',
        conditions: [
          { query: { 'params.model': { $eq: 'fast' } }, then: 'first' },
          {
            query: {
              $and: [{ 'params.model': { $in: ['careful', 'slow'] } }, { 'metadata.model': { $eq: 'a label' } }],
            },
            then: 'second',
          },
          { query: { 'params.model': { $regex: '^gpt' } }, then: 'second' },
        ],
        default: 'fifth',
      },
      targets: [
        target('first', { override_params: { model: 'gpt-4o' } }),
        {
          name: 'second',
          strategy: { mode: 'fallback' },
          targets: [target('third', { override_params: { model: 'gpt-4o', temperature: 0 } }), target('fourth')],
        },
        target('fifth'),
      ],
    }),
  );
  expect([...planModels(plan)].toSorted()).toEqual(['careful', 'fast', 'gpt-4o', 'slow']);
});

it('finds no models if a plan leaves the model to its requests', () => {
  expect(planModels(compileConfig(JSON.stringify(target('only')))).size).toBe(0);
});
