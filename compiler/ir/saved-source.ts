import { filledSettings } from '../../plugins/sdk/parameters/provider-settings.ts';
import { lookUp } from '../../schema/look-up.ts';
import type { JsonPointer } from '../../schema/pointer.ts';
import type { SavedProvider } from '../../schema/saved.ts';
import type { CompileContext } from './compile-context.ts';
import type { IrSource } from './ir-node.ts';

export type SavedSource = Extract<IrSource, { kind: 'saved' }>;

/** A name of the gateway file, and where the config states it. */
export interface SavedName {
  readonly by: SavedSource['by'];
  readonly at: JsonPointer;
  readonly slug: string;
}

/** What the gateway file saves under a name: a virtual key, or else a provider. */
export const savedSource = (name: SavedName, { catalogue, saved: all }: CompileContext): SavedSource => {
  const known: { readonly [slug: string]: SavedProvider } = name.by === 'virtual_key' ? all.virtualKeys : all.providers;
  const saved = lookUp(known, name.slug);
  if (saved === undefined) return { kind: 'saved', ...name };
  const provider = catalogue.providers.get(saved.provider);
  if (provider === undefined) return { kind: 'saved', ...name, saved };
  const settings = filledSettings(provider, saved.settings ?? {});
  return { kind: 'saved', ...name, saved: { ...saved, settings }, provider };
};
