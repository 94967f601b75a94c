import { toCredentialFields } from '../../../plugins/sdk/provider/to-credential-fields.ts';
import { childPointer } from '../../../schema/json/pointer.ts';
import type { Place } from '../../diagnostics/reporter.ts';
import { wholeWeights } from '../../lower/whole-weights.ts';
import type { CompileContext } from '../../resolve/context/compile-context.ts';
import { isGiven } from '../../resolve/providers/config-members.ts';
import type { SavedSource } from '../../resolve/providers/saved-source.ts';
import { poolKeys } from '../../resolve/providers/source-facts.ts';
import type { IrNode } from '../../resolve/tree/ir-node.ts';
import { isReference } from '../../schema-errors/is-reference.ts';
import type { SoundItem } from '../../schema-errors/usable-parts.ts';
import { describePlace } from '../../schema-errors/words.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

type Keys = readonly SoundItem<{ readonly api_key: string; readonly weight?: number }>[];

const reportMixed = (
  { pointer, config }: IrNode,
  fields: readonly string[],
  { reporter, spellings }: CompileContext,
): void => {
  for (const field of fields) {
    if (!isGiven(config, field)) continue;
    const second = spellings.readName(pointer, field);
    const place = { pointer: childPointer(pointer, field), part: 'key' } as const;
    reporter.report('mixed-credentials', place, { what: describePlace(pointer), first: 'keys', second });
  }
};

const reportKeys = (keys: Keys, { reporter }: CompileContext): void => {
  const seen = new Set<string>();
  for (const { value, pointer } of keys) {
    const place = { pointer: childPointer(pointer, 'api_key'), part: 'value' } as const;
    if (value.api_key === '') reporter.report('empty-pool-key', place, {});
    else if (seen.has(value.api_key) && isReference(value.api_key)) reporter.report('repeated-key', place, {});
    seen.add(value.api_key);
  }
};

const reportWeights = (weights: readonly number[], place: Place, { reporter }: CompileContext): void => {
  if (weights.every((weight) => weight === 0)) reporter.report('no-key-weight', place, {});
  else if (wholeWeights(weights) === undefined) reporter.report('uneven-weights', place, {});
};

/** Reports what is wrong with saved keys at the place that names them, because the keys themselves are in another text. */
const reportSaved = ({ at, slug, saved, provider }: SavedSource, context: CompileContext): void => {
  const { reporter } = context;
  const { keys, credential = {}, accounts } = saved ?? {};
  const place = { pointer: at, part: 'value' } as const;
  if (keys === undefined) {
    if (accounts !== undefined) reporter.report('accounts-without-keys', place, { slug });
    return;
  }
  if (provider !== undefined && !toCredentialFields(provider).includes('api_key'))
    reporter.report('no-key-pool', place, { provider: provider.id });
  if (Object.keys(credential).length > 0)
    reporter.report('mixed-credentials', place, {
      what: `What is saved as "${slug}"`,
      first: 'credential',
      second: 'keys',
    });
  reportWeights(
    keys.map(({ weight = 1 }) => weight),
    place,
    context,
  );
};

/**
 * Checks that a list of keys replaces a single key, that its provider is called with one key, and that at least one key is used.
 */
export const keyPools: Check = defineCheck({
  name: 'key-pools',
  create: (context) => ({
    leaf(node, { source }) {
      if (source.kind === 'saved') reportSaved(source, context);
      const { pointer, config } = node;
      if (config.keys === undefined || source.kind !== 'inline') return;
      const { provider } = source;
      const fields = toCredentialFields(provider);
      const place = { pointer: childPointer(pointer, 'keys'), part: 'key' } as const;
      if (provider !== undefined && !fields.includes('api_key')) {
        context.reporter.report('no-key-pool', place, { provider: provider.id });
        return;
      }
      const keys = poolKeys(pointer, config, context.sound);
      reportMixed(node, fields, context);
      reportKeys(keys, context);
      if (keys.length === 0) return;
      reportWeights(
        keys.map(({ value }) => value.weight ?? 1),
        place,
        context,
      );
    },
  }),
});
