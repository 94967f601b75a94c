import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { toSnake } from '../../../schema/portkey/members.ts';

/** The gateways whose files can be imported, as the command names them. */
export type ImportKind = 'portkey' | 'litellm' | 'bifrost' | 'openrouter';

interface SourceKind {
  readonly name: string;
  /** Whether a file has a member that files of this gateway have and those of the others lack. */
  readonly isLike: (file: JsonObject) => boolean;
}

const has = (file: JsonObject, ...names: readonly string[]): boolean =>
  Object.keys(file).some((name) => names.includes(toSnake(name)));

const kinds: Readonly<Record<ImportKind, SourceKind>> = {
  portkey: {
    name: 'Portkey',
    isLike: (file) => has(file, 'strategy', 'targets', 'virtual_key') || typeof file.provider === 'string',
  },
  litellm: {
    name: 'LiteLLM',
    isLike: (file) => has(file, 'model_list', 'litellm_settings', 'router_settings', 'general_settings'),
  },
  bifrost: { name: 'Bifrost', isLike: ({ providers }) => isJsonObject(providers) },
  openrouter: {
    name: 'OpenRouter',
    isLike: ({ models, provider }) => Array.isArray(models) || isJsonObject(provider),
  },
};

/**
 * Returns the gateway to which a file seems to belong, if it is not the named one; undefined if the file may be of the named
 * gateway.
 */
export const findOtherKind = (
  file: JsonObject,
  named: string,
): { readonly kind: string; readonly name: string } | undefined => {
  const likely = Object.entries(kinds).flatMap(([kind, { name, isLike }]) => (isLike(file) ? [{ kind, name }] : []));
  return likely.some(({ kind }) => kind === named) ? undefined : likely[0];
};
