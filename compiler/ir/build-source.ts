import type { Config } from '../../schema/generated/config.ts';
import type { SavedProvider } from '../../schema/saved.ts';
import type { CompileContext } from './compile-context.ts';
import type { IrSource } from './ir-node.ts';

type SavedSource = Extract<IrSource, { kind: 'saved' }>;

const own = <Value>(map: { readonly [key: string]: Value }, key: string): Value | undefined =>
  Object.hasOwn(map, key) ? map[key] : undefined;

const savedSource = (
  { catalogue }: CompileContext,
  by: 'provider' | 'virtual_key',
  slug: string,
  saved: SavedProvider | undefined,
): SavedSource => {
  const provider = saved === undefined ? undefined : catalogue.providers.get(saved.provider);
  return {
    kind: 'saved',
    by,
    slug,
    ...(saved === undefined ? {} : { saved }),
    ...(provider === undefined ? {} : { provider }),
  };
};

/** `@slug` or `@slug/model`. */
const slugSource = (context: CompileContext, text: string): IrSource => {
  const slash = text.indexOf('/');
  const slug = slash < 0 ? text.slice(1) : text.slice(1, slash);
  const model = slash < 0 ? '' : text.slice(slash + 1);
  const source = savedSource(context, 'provider', slug, own(context.saved.providers, slug));
  return model === '' ? source : { ...source, model };
};

/** Where the requests of a config without targets go. Only a whole config may leave that to the request. */
export const buildSource = (config: Config, context: CompileContext, isRoot: boolean): IrSource => {
  const { provider: name, virtual_key: virtualKey, prompt_id: promptId } = config;
  if (virtualKey !== undefined)
    return savedSource(context, 'virtual_key', virtualKey, own(context.saved.virtualKeys, virtualKey));
  if (name?.startsWith('@')) return slugSource(context, name);
  if (name !== undefined) {
    const provider = context.catalogue.providers.get(name);
    return { kind: 'inline', name, ...(provider === undefined ? {} : { provider }) };
  }
  if (promptId !== undefined) return { kind: 'prompt', promptId };
  return isRoot ? { kind: 'request' } : { kind: 'none' };
};
