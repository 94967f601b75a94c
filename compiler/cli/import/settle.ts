import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { fromPointer, type JsonPointer, toOptionPath } from '../../../schema/json/pointer.ts';
import type { CommandServices } from '../command-line/services.ts';
import type { Draft } from './draft/draft.ts';

/** More members of a config than are taken out before the rest is given up. */
const maxRounds = 300;

/** The same value without what is at a place; undefined where nothing is left. */
const without = (value: Json, [token, ...rest]: readonly string[]): Json | undefined => {
  if (token === undefined) return undefined;
  if (Array.isArray(value)) {
    const items = value.flatMap((item, index) => {
      if (String(index) !== token) return [item];
      const left = without(item, rest);
      return left === undefined ? [] : [left];
    });
    return items.length === 0 ? undefined : items;
  }
  if (!isJsonObject(value)) return undefined;
  const members = Object.entries(value).flatMap(([name, member]): readonly (readonly [string, Json])[] => {
    if (name !== token) return [[name, member]];
    const left = without(member, rest);
    return left === undefined ? [] : [[name, left]];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
};

const has = (value: Json, [token, ...rest]: readonly string[]): boolean => {
  if (token === undefined) return true;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return false;
  return has(Object.entries(value).find(([name]) => name === token)?.[1] ?? null, rest);
};

/** The place itself, or the nearest around it that is there. */
const nearest = (value: Json, pointer: JsonPointer): readonly string[] => {
  let tokens = fromPointer(pointer);
  while (!has(value, tokens)) tokens = tokens.slice(0, -1);
  return tokens;
};

/**
 * Takes out of each config what the compiler refuses, as a loss with its sentence, until it refuses nothing: what is imported can
 * always be checked. A config of which nothing is left is a loss itself.
 */
export const settle = async (
  draft: Draft,
  services: Pick<CommandServices, 'environment' | 'compile'>,
): Promise<void> => {
  const environment = await services.environment('gateway.json', JSON.stringify(draft.gateway));
  for (const [name, config] of draft.configs) {
    let left: JsonObject | undefined = config;
    for (let round = 0; left !== undefined; round += 1) {
      const text = JSON.stringify(left);
      const { diagnostics } = await services.compile(text, { environment, file: `configs/${name}.json`, name });
      // The last one first, so that the places of those before it stay.
      const found = diagnostics.findLast(({ severity }) => severity === 'error');
      if (found === undefined) break;
      const { pointer, message, hint = 'Leave it out.' } = found;
      const tokens: readonly string[] = round < maxRounds ? nearest(left, pointer) : [];
      draft.lose(draft.origin(name, pointer), `${message} (${toOptionPath(pointer)})`, hint);
      const rest: Json | undefined = without(left, tokens);
      left = isJsonObject(rest) ? rest : undefined;
    }
    if (left === undefined) draft.configs.delete(name);
    else draft.configs.set(name, left);
  }
};
