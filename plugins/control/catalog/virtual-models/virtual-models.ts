import { maxVirtualModels, virtualNameError } from '../../../../schema/config/virtual-models.ts';
import { problem } from '../../kernel/requests/problem.ts';
import { defineResource, type Resource } from '../../kernel/resource/define-resource.ts';
import { text } from '../../kernel/resource/member.ts';

/** Names that the clients of a workspace write as their model. */
export const virtualModels: Resource = defineResource({
  noun: 'virtual model',
  plural: 'virtual models',
  path: '/virtual-models',
  command: 'virtual-models',
  headline: 'Save virtual models.',
  summary:
    'Save virtual models: names that clients write as their model, and that stand for a config or for one model.',
  owner: 'workspace',
  table: 'virtual_models',
  members: {
    name: text({ min: 1, max: 200, description: 'The name that clients send as their model.', placeholder: 'NAME' }),
    target: text({
      min: 1,
      max: 1000,
      description:
        'What the name stands for: `config:SLUG`, a config of the workspace whose targets all set a model, or `@slug/model`.',
      placeholder: 'TARGET',
    }),
  },
  naming: 'name',
  max: maxVirtualModels,
  feeds: { create: 'plans', update: 'plans', delete: 'plans' },
  rules: {
    validate({ name }) {
      const error = name === undefined ? undefined : virtualNameError(name);
      return error === undefined ? [] : [problem(['name'], `The name of a virtual model ${error.why}.`, error.hint)];
    },
    prepare: async (parts, writes) => (await import('./virtual-model-rules.ts')).prepareVirtualModel(parts, writes),
  },
  shown: ['name', 'target'],
  summaries: {
    create: 'Saves a virtual model. Its config or provider must exist.',
    update: 'Changes a virtual model. Absent members stay as they are.',
  },
});
