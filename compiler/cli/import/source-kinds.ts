import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { toSnake } from '../../../schema/portkey/members.ts';

/** The gateways whose files are imported, as the command names them. */
export type ImportKind = 'portkey' | 'litellm' | 'bifrost' | 'openrouter';

interface SourceKind {
  readonly name: string;
  /** Whether a file has a member that those of this gateway have, and those of the others lack. */
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

/** The gateway that a file looks like one of, where it is another one than is named; undefined where it may be of that one. */
export const findOtherKind = (
  file: JsonObject,
  named: string,
): { readonly kind: string; readonly name: string } | undefined => {
  const likely = Object.entries(kinds).flatMap(([kind, { name, isLike }]) => (isLike(file) ? [{ kind, name }] : []));
  return likely.some(({ kind }) => kind === named) ? undefined : likely[0];
};
