import { childPointer } from '../../schema/pointer.ts';
import { type Check, defineCheck } from './define-check.ts';

/** Hooks that change a request or an answer are refused until they are supported. */
export const mutators: Check = defineCheck({
  name: 'mutators',
  create: ({ reporter, sound }) => ({
    node({ pointer, config }) {
      for (const field of ['before_request_hooks', 'after_request_hooks'] as const)
        for (const { value, pointer: at } of sound.items(config[field], childPointer(pointer, field)))
          if (value.type === 'mutator')
            reporter.report('mutator-not-available', { pointer: childPointer(at, 'type'), part: 'value' }, {});
    },
  }),
});
