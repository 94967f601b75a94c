import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { toSnake } from '../../../schema/portkey/members.ts';

/** A gateway whose files are imported. */
interface SourceKind {
  readonly kind: string;
  readonly name: string;
  /** Whether a file has a member that those of this gateway have, and those of the others lack. */
  readonly isLike: (file: JsonObject) => boolean;
}

const has = (file: JsonObject, ...names: readonly string[]): boolean =>
  Object.keys(file).some((name) => names.includes(toSnake(name)));

const kinds: readonly SourceKind[] = [
  {
    kind: 'portkey',
    name: 'Portkey',
    isLike: (file) => has(file, 'strategy', 'targets', 'virtual_key') || typeof file.provider === 'string',
  },
  {
    kind: 'litellm',
    name: 'LiteLLM',
    isLike: (file) => has(file, 'model_list', 'litellm_settings', 'router_settings', 'general_settings'),
  },
  { kind: 'bifrost', name: 'Bifrost', isLike: ({ providers }) => isJsonObject(providers) },
  {
    kind: 'openrouter',
    name: 'OpenRouter',
    isLike: ({ models, provider }) => Array.isArray(models) || isJsonObject(provider),
  },
];

/** The gateway that a file looks like one of, where it is another one than is named; undefined where it may be of that one. */
export const findOtherKind = (file: JsonObject, named: string): SourceKind | undefined => {
  const likely = kinds.filter(({ isLike }) => isLike(file));
  return likely.some(({ kind }) => kind === named) ? undefined : likely[0];
};
