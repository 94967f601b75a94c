import { childPointer } from '../../schema/pointer.ts';
import { type Check, defineCheck } from './define-check.ts';

const features = [
  { setting: 'cache', feature: 'a cache' },
  { setting: 'prompt_id', feature: 'stored prompts' },
] as const;

/** A setting that no loaded plugin implements is refused, not ignored. */
export const availableFeatures: Check = defineCheck({
  name: 'available-features',
  create: ({ reporter }) => ({
    node({ pointer, config }) {
      for (const { setting, feature } of features)
        if (config[setting] !== undefined)
          reporter.report(
            'feature-not-available',
            { pointer: childPointer(pointer, setting), part: 'key' },
            { feature, setting },
          );
    },
  }),
});
