import { childPointer } from '../../../schema/json/pointer.ts';
import { wholeWeights } from '../../lower/whole-weights.ts';
import { findProvider } from '../../resolve/providers/source-facts.ts';
import { poolKeys } from '../../resolve/providers/pool-keys.ts';
import { toCredentialFields } from '../../resolve/providers/to-credential-fields.ts';
import { isReference } from '../../validate/references/is-reference.ts';
import { describePlace } from '../../validate/words.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Several keys are in place of one, at a provider that is called with one, and at least one of them is used. */
export const keyPools: Check = defineCheck({
  name: 'key-pools',
  create: ({ reporter, sound, spellings }) => ({
    leaf({ pointer, config }, { source }) {
      if (config.keys === undefined || source.kind !== 'inline') return;
      const provider = findProvider(source);
      const fields = toCredentialFields(provider);
      const at = childPointer(pointer, 'keys');
      if (provider !== undefined && !fields.includes('api_key')) {
        reporter.report('no-key-pool', { pointer: at, part: 'key' }, { provider: provider.id });
        return;
      }
      const members = new Map<string, unknown>(Object.entries(config));
      for (const field of fields)
        if ((members.get(field) ?? '') !== '') {
          const second = spellings.readName(pointer, field);
          const place = { pointer: childPointer(pointer, field), part: 'key' } as const;
          reporter.report('mixed-credentials', place, { what: describePlace(pointer), first: 'keys', second });
        }
      const keys = poolKeys(pointer, config, sound);
      const seen = new Set<string>();
      for (const { value, pointer: place } of keys) {
        const key = { pointer: childPointer(place, 'api_key'), part: 'value' } as const;
        if (value.api_key === '') reporter.report('empty-pool-key', key, {});
        else if (seen.has(value.api_key) && isReference(value.api_key)) reporter.report('repeated-key', key, {});
        seen.add(value.api_key);
      }
      const weights = keys.map(({ value }) => value.weight ?? 1);
      if (keys.length === 0) return;
      if (weights.every((weight) => weight === 0)) reporter.report('no-key-weight', { pointer: at, part: 'key' }, {});
      else if (wholeWeights(weights) === undefined)
        reporter.report('uneven-weights', { pointer: at, part: 'key' }, {});
    },
  }),
});
