import { fromJson } from '../../schema/json/from-json.ts';
import { isJsonObject } from '../../schema/json/json.ts';

/** Members that name the destination of a config. A config with one of them ignores the headers. */
const destinations = ['provider', 'virtual_key', 'targets', 'strategy', 'prompt_id'];

/** A saved provider or a virtual key that a caller names in addition to its config. */
export interface SavedMember {
  readonly name: 'provider' | 'virtual_key';
  readonly value: string;
}

/**
 * Returns the config with the member added to its root, if the config itself names no provider. It is added last, so that all
 * positions in the text stay as the author sees them.
 */
export const withSaved = (text: string, { name, value }: SavedMember): string => {
  let config: unknown;
  try {
    config = fromJson(text);
  } catch {
    // The compiler will report what is wrong with it.
    return text;
  }
  if (!isJsonObject(config) || destinations.some((destination) => destination in config)) return text;
  const end = text.lastIndexOf('}');
  const comma = Object.keys(config).length === 0 ? '' : ',';
  return `${text.slice(0, end)}${comma}${JSON.stringify(name)}:${JSON.stringify(value)}}`;
};
