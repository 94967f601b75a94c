import { childPointer } from '../../../schema/json/pointer.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Checks that a semantic cache has a provider of vectors. A plugin's own cache for this mode may not need one. */
export const semanticCaches: Check = defineCheck({
  name: 'semantic-caches',
  create: ({ catalogue: { caches, owners }, makesVectors, reporter }) => {
    const definition = caches.get('semantic');
    const isOurs = definition !== undefined && owners?.has(definition) !== true;
    if (makesVectors !== false || !isOurs) return {};
    return {
      node({ pointer, config: { cache } }) {
        if (cache?.mode !== 'semantic') return;
        reporter.report('no-vectors', { pointer: childPointer(pointer, 'cache', 'mode'), part: 'value' }, {});
      },
    };
  },
});
