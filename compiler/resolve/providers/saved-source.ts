import { filledSettings } from '../../../plugins/sdk/provider/provider-settings.ts';
import type { SavedProvider } from '../../../schema/config/saved.ts';
import { lookUp } from '../../../schema/json/look-up.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';
import type { CompileContext } from '../context/compile-context.ts';
import type { IrSource } from '../tree/ir-node.ts';

export type SavedSource = Extract<IrSource, { kind: 'saved' }>;

type SavedList = 'providers' | 'virtualKeys';

/** A name in the gateway file, and the place in the config that states it. */
export interface SavedName {
  readonly by: SavedSource['by'];
  readonly at: JsonPointer;
  readonly slug: string;
}

/** Returns the saved value of a name. */
const savedAs = ({ slug }: SavedName, list: SavedList, { saved }: CompileContext) =>
  lookUp<SavedProvider>(saved[list], slug);

const toList = ({ by }: SavedName): SavedList => (by === 'virtual_key' ? 'virtualKeys' : 'providers');

/** Resolves a saved name to its source: a virtual key, or else a provider, if `list` does not specify which. */
export const savedSource = (name: SavedName, context: CompileContext, list: SavedList = toList(name)): SavedSource => {
  const { catalogue, missing } = context;
  const saved = savedAs(name, list, context);
  if (saved === undefined) {
    missing.push({ kind: list, name: name.slug, at: name.at });
    return { kind: 'saved', ...name };
  }
  const provider = catalogue.providers.get(saved.provider);
  if (provider === undefined) return { kind: 'saved', ...name, saved };
  const settings = filledSettings(provider, saved.settings ?? {});
  return { kind: 'saved', ...name, saved: { ...saved, settings }, provider };
};
