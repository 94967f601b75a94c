import type { Config } from '../../schema/generated/config.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../schema/pointer.ts';
import { slugModel } from '../../schema/slug-model.ts';
import type { CompileContext } from './compile-context.ts';
import type { IrSource } from './ir-node.ts';
import { savedSource } from './saved-source.ts';

/** `@slug` or `@slug/model`. */
const slugSource = (text: string, at: JsonPointer, context: CompileContext): IrSource => {
  const named = slugModel(text);
  const slug = named?.slug ?? text.slice(1).replace(/\/$/, '');
  const source = savedSource({ by: 'provider', at, slug }, context);
  return named === undefined ? source : { ...source, model: named.model };
};

/** Where the requests of a config without targets go. Only a whole config may leave that to the request. */
export const buildSource = (config: Config, pointer: JsonPointer, context: CompileContext): IrSource => {
  const { provider: name, virtual_key: virtualKey, prompt_id: promptId } = config;
  if (virtualKey !== undefined) {
    const at = childPointer(pointer, 'virtual_key');
    return savedSource({ by: 'virtual_key', at, slug: virtualKey }, context);
  }
  if (name?.startsWith('@')) return slugSource(name, childPointer(pointer, 'provider'), context);
  if (name !== undefined) {
    const provider = context.catalogue.providers.get(name);
    return { kind: 'inline', name, ...(provider === undefined ? {} : { provider }) };
  }
  if (promptId !== undefined) return { kind: 'prompt', promptId };
  return pointer === rootPointer ? { kind: 'request' } : { kind: 'none' };
};
