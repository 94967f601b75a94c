import { fillSettings } from '../../../plugins/sdk/provider/provider-settings.ts';
import { lookUp } from '../../../schema/json/look-up.ts';
import { childPointer } from '../../../schema/json/pointer.ts';
import { providerHint } from '../../../schema/text/provider-hint.ts';
import { savedSlug } from '../../../schema/text/slug-model.ts';
import { guessValue } from '../../diagnostics/closest.ts';
import type { Place } from '../../diagnostics/reporter.ts';
import { savedSuggestion, slugsOf } from '../../diagnostics/saved-suggestion.ts';
import type { CompileContext } from '../../resolve/context/compile-context.ts';
import { ownProviderSettings } from '../../resolve/providers/own-provider-settings.ts';
import type { IrNode, IrSource } from '../../resolve/tree/ir-node.ts';
import { refersAnywhere } from '../../schema-errors/is-reference.ts';
import { describePlace } from '../../schema-errors/words.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';
import { listMeant } from './meant-provider.ts';

/** Returns the providers that may have been meant. A caller is not shown saved names. */
const meantProviders = (name: string, { catalogue, saved, trust }: CompileContext): readonly string[] => {
  const slugs = trust === 'caller' ? [] : Object.keys(saved.providers);
  if (slugs.includes(name)) return [`@${name}`];
  return listMeant(name, { providers: [...catalogue.providers.values()], slugs });
};

type Source<Kind extends IrSource['kind']> = Extract<IrSource, { kind: Kind }>;

const reportUnknown = (provider: string, place: Place, context: CompileContext): void => {
  const meant = meantProviders(provider, context);
  const [only, ...others] = meant;
  const suggestion = only === `@${provider}` ? `Did you mean "${only}"?` : providerHint(meant);
  context.reporter.report(
    'unknown-provider',
    { ...place, fix: guessValue(place.pointer, others.length === 0 ? only : undefined) },
    { provider, suggestion },
  );
};

/** Whether a provider is known. A saved provider beside a virtual key is a mistake of another kind. */
const isKnown = (provider: string, { catalogue }: CompileContext): boolean =>
  savedSlug(provider) !== undefined || catalogue.providers.has(provider);

const reportSaved = ({ by, slug, saved, provider }: Source<'saved'>, place: Place, context: CompileContext): void => {
  const { reporter, saved: all, trust, showsNear } = context;
  const unusable = lookUp(all.unusable ?? {}, slug);
  if (saved !== undefined) {
    if (provider === undefined) reportUnknown(saved.provider, place, context);
  } else if (by === 'prompt_id') {
    // The check of prompts reports it.
  } else if (unusable !== undefined) {
    reporter.report('unusable-provider', place, { slug, ...unusable });
  } else if (by !== 'virtual_key') {
    const names = slugsOf(all.providers).map((name) => `@${name}`);
    const isVirtualKey = trust !== 'caller' && slugsOf(all.virtualKeys).includes(slug);
    const suggestion = isVirtualKey
      ? `A virtual key has this name: write "virtual_key": ${JSON.stringify(slug)} instead of the provider.`
      : savedSuggestion(`@${slug}`, { member: 'providers', names, trust, showsNear });
    reporter.report('unknown-saved-provider', place, { slug, suggestion });
  } else {
    const names = slugsOf(all.virtualKeys);
    const hint = savedSuggestion(slug, { member: 'virtual_keys', names, trust, showsNear });
    reporter.report('unknown-virtual-key', place, { id: slug, suggestion: hint });
  }
};

/** Reports a target without a provider, unless it has one that cannot be read or contains too little at all. */
const reportNone = ({ pointer, config }: IrNode, { reporter, sound }: CompileContext): void => {
  const isMeant = (field: string): boolean => sound.isUnusable(childPointer(pointer, field));
  if (sound.isUnusable(pointer) || config.targets !== undefined) return;
  if (['provider', 'virtual_key', 'prompt_id', 'strategy', 'targets'].some(isMeant)) return;
  reporter.report('missing-provider', { pointer, part: 'value' }, { what: describePlace(pointer) });
};

/** Reports settings of a provider that only a saved provider can have. Elsewhere their defaults apply, if there are any. */
const reportSettings = ({ provider }: Source<'inline'>, node: IrNode, { reporter }: CompileContext): void => {
  if (provider?.ownSettings === undefined) return;
  const found = fillSettings(provider, ownProviderSettings(node.config, provider.settings ?? []));
  if (found.kind === 'filled') return;
  const place = { pointer: childPointer(node.pointer, 'provider'), part: 'value' } as const;
  const why = found.errors.join(' ').replace(/\.$/, '');
  reporter.report('unsaved-settings', place, { provider: provider.id, why });
};

const reportSource = (source: IrSource, node: IrNode, context: CompileContext): void => {
  const at = (field: string): Place => ({ pointer: childPointer(node.pointer, field), part: 'value' });
  // A reference here is reported as one.
  if (source.kind === 'inline' && source.provider === undefined && !refersAnywhere(source.name))
    reportUnknown(source.name, at('provider'), context);
  if (source.kind === 'inline') reportSettings(source, node, context);
  if (source.kind === 'saved') {
    const { provider } = node.config;
    if (!refersAnywhere(source.slug)) reportSaved(source, { pointer: source.at, part: 'value' }, context);
    if (source.by === 'virtual_key' && provider !== undefined && !isKnown(provider, context))
      reportUnknown(provider, at('provider'), context);
  }
  if (source.kind === 'none') reportNone(node, context);
};

/** Checks that every target names an existing provider. */
export const providers: Check = defineCheck({
  name: 'providers',
  create: (context) => ({ leaf: (node, { source }) => reportSource(source, node, context) }),
});
