import type { SavedPrompt } from '../../schema/config/saved.ts';
import type { Config } from '../../schema/generated/config.ts';
import { lookUp } from '../../schema/json/look-up.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../schema/json/pointer.ts';
import { savedSlug, slugModel } from '../../schema/text/slug-model.ts';
import type { CompileContext } from './context/compile-context.ts';
import { savedSource } from './providers/saved-source.ts';
import type { IrLeaf, IrPrompt, IrSource } from './tree/ir-node.ts';

/** Resolves `@slug` or `@slug/model`. */
const slugSource = (text: string, at: JsonPointer, context: CompileContext): IrSource => {
  const named = slugModel(text);
  const slug = named?.slug ?? text.slice(1).replace(/\/$/, '');
  const source = savedSource({ by: 'provider', at, slug }, context);
  return named === undefined ? source : { ...source, model: named.model };
};

/** Returns the virtual key or provider of a prompt. */
const promptSource = (at: JsonPointer, { virtualKey: name }: SavedPrompt, context: CompileContext): IrSource => {
  const slug = savedSlug(name);
  return slug === undefined
    ? savedSource({ by: 'prompt_id', at, slug: name }, context, 'virtualKeys')
    : savedSource({ by: 'prompt_id', at, slug }, context, 'providers');
};

/** Returns the prompt that a config without targets names. */
const findPrompt = (
  { prompt_id: reference }: Config,
  pointer: JsonPointer,
  { saved: { prompts }, missing }: CompileContext,
): IrPrompt | undefined => {
  if (reference === undefined) return undefined;
  const at = childPointer(pointer, 'prompt_id');
  const found = lookUp<SavedPrompt>(prompts?.found ?? {}, reference);
  if (found !== undefined) return { at, reference, found };
  missing.push({ kind: 'prompts', name: reference, at });
  return { at, reference };
};

const toSource = (
  { provider: name, virtual_key: virtualKey }: Config,
  { pointer, prompt }: { readonly pointer: JsonPointer; readonly prompt: IrPrompt | undefined },
  context: CompileContext,
): IrSource => {
  if (prompt !== undefined && prompt.found === undefined) return { kind: 'prompt', promptId: prompt.reference };
  if (virtualKey !== undefined) {
    const at = childPointer(pointer, 'virtual_key');
    return savedSource({ by: 'virtual_key', at, slug: virtualKey }, context);
  }
  if (name !== undefined && savedSlug(name) !== undefined)
    return slugSource(name, childPointer(pointer, 'provider'), context);
  if (name !== undefined) {
    const provider = context.catalogue.providers.get(name);
    return { kind: 'inline', name, ...(provider === undefined ? {} : { provider }) };
  }
  if (prompt?.found !== undefined) return promptSource(prompt.at, prompt.found, context);
  return pointer === rootPointer ? { kind: 'request' } : { kind: 'none' };
};

/**
 * Returns where the requests of a config without targets go, and the prompt from which they are built. Only a whole config may
 * leave the destination to the request. A prompt's own virtual key or provider applies if the config names none.
 */
export const buildLeaf = (config: Config, pointer: JsonPointer, context: CompileContext): IrLeaf => {
  const prompt = findPrompt(config, pointer, context);
  const source = toSource(config, { pointer, prompt }, context);
  return { kind: 'leaf', source, ...(prompt === undefined ? {} : { prompt }) };
};
