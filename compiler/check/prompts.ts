import { maxNamedPrompts } from '../../schema/config/named-prompts.ts';
import { lookUp } from '../../schema/json/look-up.ts';
import { savedSlug } from '../../schema/text/slug-model.ts';
import { closest } from '../diagnostics/closest.ts';
import { savedSuggestion } from '../diagnostics/saved-suggestion.ts';
import type { CompileContext } from '../resolve/context/compile-context.ts';
import type { IrLeaf, IrPrompt } from '../resolve/tree/ir-node.ts';
import { type Check, defineCheck } from './visitor/define-check.ts';

/** Suggests the prompt that was probably meant. A caller is not shown saved names. */
const unknownHint = (reference: string, slugs: readonly string[], { trust }: CompileContext): string => {
  const [name = '', version] = reference.split('@', 2);
  if (version !== undefined && trust !== 'caller' && slugs.includes(name))
    return `The prompt "${name}" has no version "${version}": write its number, "latest", "published" or a label.`;
  const near = trust === 'caller' ? undefined : closest(name, slugs);
  if (near !== undefined && near !== name && version !== undefined) return `Did you mean "${near}@${version}"?`;
  return savedSuggestion(name, { member: 'prompts', names: slugs, trust });
};

const reportDestination = (
  { at, reference, found }: IrPrompt,
  { source }: IrLeaf,
  { reporter, saved: { unusable = {} } }: CompileContext,
): void => {
  if (found === undefined || source.kind !== 'saved' || source.by !== 'prompt_id' || source.saved !== undefined) return;
  const what = savedSlug(found.virtualKey) === undefined ? 'virtual key' : 'saved provider';
  const { slug } = source;
  const why = lookUp(unusable, slug)?.why ?? 'is not saved';
  reporter.report('unusable-prompt', { pointer: at, part: 'value' }, { reference, what, slug, why });
};

/** Checks that a stored prompt exists, and that what it is sent to does too. */
export const prompts: Check = defineCheck({
  name: 'prompts',
  create: (context) => {
    const { reporter, saved } = context;
    const named = new Set<string>();
    return {
      leaf(_, leaf) {
        const { prompt } = leaf;
        if (prompt === undefined) return;
        const { at, reference } = prompt;
        const place = { pointer: at, part: 'value' } as const;
        named.add(reference);
        if (saved.prompts === undefined) reporter.report('no-stored-prompts', { pointer: at, part: 'key' }, {});
        else if (named.size > maxNamedPrompts) reporter.report('too-many-prompts', place, { limit: maxNamedPrompts });
        else if (prompt.found !== undefined) reportDestination(prompt, leaf, context);
        else if (saved.prompts.mayBeGone !== true)
          reporter.report('unknown-prompt', place, {
            reference,
            suggestion: unknownHint(reference, saved.prompts.slugs, context),
          });
      },
    };
  },
});
