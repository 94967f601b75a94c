import { isJsonObject, type Json } from '../json/json.ts';
import { parseJson } from '../json/parse-json.ts';

/** The most prompts that a config can name. */
export const maxNamedPrompts = 20;

const collect = (config: Json | undefined, found: Set<string>): void => {
  if (!isJsonObject(config)) return;
  const { prompt_id: reference, targets, strategy } = config;
  // A config that chooses among targets sends nothing itself.
  const isTarget = strategy === undefined || targets === undefined;
  if (isTarget && typeof reference === 'string' && found.size < maxNamedPrompts) found.add(reference);
  if (Array.isArray(targets)) for (const target of targets) collect(target, found);
};

/** Lists the stored prompts that a config's text names, each once; no more than a config can name, and none if it is not JSON. */
export const namedPrompts = (text: string): readonly string[] => {
  // Most configs name none and need not be parsed twice: without an escape, the key can be written in no other way.
  if (!text.includes('prompt_id') && !text.includes('\\u')) return [];
  const found = new Set<string>();
  collect(parseJson(text), found);
  return [...found];
};
