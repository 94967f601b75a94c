import { isJsonObject } from '../../schema/json.ts';

/** Members that say where a config's requests go. A config that has one needs no word of the headers. */
const destinations = ['provider', 'virtual_key', 'targets', 'strategy', 'prompt_id'];

/** What a caller names in a header beside its config: a saved provider or a virtual key. */
export interface SavedMember {
  readonly name: 'provider' | 'virtual_key';
  readonly value: string;
}

/**
 * The config with the member laid into its root, where the config itself names no provider. It goes behind all others,
 * so that every place in the text stays where its author sees it.
 */
export const withSaved = (text: string, { name, value }: SavedMember): string => {
  let config: unknown;
  try {
    config = JSON.parse(text);
  } catch {
    // What is wrong with it is the compiler's to say.
    return text;
  }
  if (!isJsonObject(config) || destinations.some((destination) => destination in config)) return text;
  const end = text.lastIndexOf('}');
  const comma = Object.keys(config).length === 0 ? '' : ',';
  return `${text.slice(0, end)}${comma}${JSON.stringify(name)}:${JSON.stringify(value)}}`;
};
