import { childPointer, type JsonPointer } from '../../../schema/json/pointer.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Rejects a setting that no loaded plugin implements, instead of ignoring it. */
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
      node({ pointer, config: { cache } }) {
        // A cache with a mistake in it may lack its mode.
        const mode: string | undefined = cache?.mode;
        if (mode !== undefined && !catalogue.caches.has(mode)) refuse(pointer, 'cache', `a ${mode} cache`);
      },
    };
  },
});
