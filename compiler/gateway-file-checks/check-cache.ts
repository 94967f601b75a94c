import type { Catalogue } from '../../plugins/sdk/plugin/catalogue.ts';
import type { Saved } from '../../schema/config/saved.ts';
import type { GatewayFile } from '../../schema/generated/gateway-file.ts';
import { lookUp } from '../../schema/json/look-up.ts';
import { childPointer, rootPointer } from '../../schema/json/pointer.ts';
import { suggestion } from '../diagnostics/closest.ts';
import type { SavedProblem } from './check-saved.ts';

const semantic = childPointer(rootPointer, 'cache', 'semantic');

const providerProblem = (named: string, saved: Saved, { providers }: Catalogue): SavedProblem | undefined => {
  const pointer = childPointer(semantic, 'provider');
  const slug = named.slice(1);
  const found = lookUp(saved.providers, slug);
  if (found === undefined && lookUp(saved.virtualKeys, slug) !== undefined)
    return {
      code: 'unknown-saved-provider',
      pointer,
      message: `"${slug}" is a virtual key, but embeddings need a saved provider.`,
      hint: 'Save it under "providers" as well: the same object as under "virtual_keys".',
    };
  if (found === undefined)
    return {
      code: 'unknown-saved-provider',
      pointer,
      message: `There is no saved provider "${slug}".`,
      hint: suggestion(slug, Object.keys(saved.providers), 'The gateway file saves'),
    };
  const provider = providers.get(found.provider);
  if (provider === undefined || Object.hasOwn(provider.speaks, 'embeddings')) return undefined;
  return {
    code: 'no-embeddings',
    pointer,
    message: `The provider "${provider.id}" offers no embeddings, or not in the format of OpenAI.`,
    hint: 'Name a saved provider of that format, such as one of "openai".',
  };
};

/** Checks the gateway file's `cache` beyond its shape. */
export const checkCache = (
  { semantic: given, url }: NonNullable<GatewayFile['cache']>,
  { saved, catalogue }: { readonly saved: Saved; readonly catalogue: Catalogue },
): readonly SavedProblem[] => {
  if (given === undefined) return [];
  const problem = providerProblem(given.provider, saved, catalogue);
  const unshared: SavedProblem = {
    code: 'unshared-answers',
    pointer: childPointer(semantic, 'url'),
    message: 'The vectors are shared with other gateways, but the answers that they lead to are not.',
    hint: 'Name the Redis of the answers in "cache.url", or remove "url" here.',
  };
  return [
    ...(problem === undefined ? [] : [problem]),
    ...(given.url !== undefined && url === undefined ? [unshared] : []),
  ];
};
