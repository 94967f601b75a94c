import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findItems, findObject, findText } from '../../../../schema/json/loose.ts';
import { omit } from '../../shared/json/omit.ts';
import { findField, spellings } from '../parts/field.ts';
import { findGeneration } from './model-generation.ts';
import { effortBudget, effortLevel } from './reasoning.ts';

/** The parameters of configs that differ only in their name. */
const renamed: ReadonlyMap<string, string> = new Map([
  ['temperature', 'temperature'],
  ['top_p', 'topP'],
  ['top_k', 'topK'],
  ['max_tokens', 'maxOutputTokens'],
  ['max_completion_tokens', 'maxOutputTokens'],
  ['n', 'candidateCount'],
  ['seed', 'seed'],
  ['presence_penalty', 'presencePenalty'],
  ['frequency_penalty', 'frequencyPenalty'],
  ['top_logprobs', 'logprobs'],
]);

const format = (value: Json): JsonObject => {
  const wanted = findObject(value) ?? {};
  switch (wanted.type) {
    case 'json_object':
      return { responseMimeType: 'application/json' };
    case 'json_schema':
      return {
        responseMimeType: 'application/json',
        responseJsonSchema: findObject(wanted.json_schema)?.schema ?? {},
      };
    default:
      return { responseMimeType: 'text/plain' };
  }
};

/**
 * Returns the setting for an effort. Every model with thinking accepts a budget, so a budget is used if the model is not known.
 */
const thinking = (effort: Json, model: Json | undefined): JsonObject => {
  const name = findText(model);
  const asLevel = (findGeneration(name) ?? 0) >= 3;
  return { thinkingConfig: (asLevel ? effortLevel : effortBudget)(findText(effort) ?? '', name) };
};

/** Returns the members of `generationConfig` for a parameter, or undefined for a parameter that belongs elsewhere. */
const findConfig = (name: string, value: Json, params: JsonObject): JsonObject | undefined => {
  const known = renamed.get(name);
  if (known !== undefined) return { [known]: value };
  switch (name) {
    case 'stop':
      return { stopSequences: findItems(value) ?? [value] };
    case 'response_format':
      return format(value);
    case 'reasoning_effort':
      return thinking(value, params.model);
    case 'logprobs':
      return typeof value === 'boolean' ? { responseLogprobs: value } : { logprobs: value };
    case 'modalities':
      return { responseModalities: (findItems(value) ?? []).map((item) => findText(item)?.toUpperCase() ?? item) };
    case 'generationConfig':
    case 'generation_config':
      return findObject(value) ?? {};
    default:
      return undefined;
  }
};

/** The path specifies these. */
const ofPath: ReadonlySet<string> = new Set(['model', 'stream']);

const withoutSpellings = (object: JsonObject, names: readonly string[]): JsonObject =>
  omit(object, spellings(names)) ?? {};

/** Returns the members to replace. A schema replaces one that the body has in another form. */
const replaced = (config: JsonObject): readonly string[] =>
  'responseMimeType' in config
    ? [...Object.keys(config), 'responseSchema', 'responseJsonSchema', '_responseJsonSchema']
    : Object.keys(config);

/** Sets the parameters of a config on a body, most of them in `generationConfig`. */
export const place = (params: JsonObject, body: JsonObject): JsonObject => {
  const config: Record<string, Json> = {};
  const top: Record<string, Json> = {};
  for (const [name, value] of Object.entries(params)) {
    const members = findConfig(name, value, params);
    if (members !== undefined) Object.assign(config, members);
    else if (!ofPath.has(name)) top[name] = value;
  }
  const rest = withoutSpellings(body, Object.keys(top));
  if (Object.keys(config).length === 0) return { ...rest, ...top };
  const before = withoutSpellings(findObject(findField(body, 'generationConfig')) ?? {}, replaced(config));
  return {
    ...withoutSpellings(rest, ['generationConfig']),
    generationConfig: { ...before, ...config },
    ...top,
  };
};
