import { childPointer, type JsonPointer } from '../../schema/pointer.ts';
import { type Check, defineCheck } from './define-check.ts';

/** A setting that no loaded plugin implements is refused, not ignored. */
export const availableFeatures: Check = defineCheck({
  name: 'available-features',
  create: ({ reporter, catalogue }) => {
    const refuse = (at: JsonPointer, setting: string, feature: string): void =>
      reporter.report(
        'feature-not-available',
        { pointer: childPointer(at, setting), part: 'key' },
        { feature, setting },
      );
    return {
      node({ pointer, config: { cache, prompt_id } }) {
        if (cache !== undefined && !catalogue.caches.has(cache.mode)) refuse(pointer, 'cache', `a ${cache.mode} cache`);
        if (prompt_id !== undefined) refuse(pointer, 'prompt_id', 'stored prompts');
      },
    };
  },
});
