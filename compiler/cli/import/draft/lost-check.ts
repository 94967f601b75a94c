import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import { valueAt } from '../../../../schema/json/look-up.ts';
import { counterpartOf } from './check-counterparts.ts';

/** The place of a check and its name, by the place of the finding that there is no such check. */
const findCheck = (config: Json, tokens: readonly string[]): readonly [place: readonly string[], name: string] => {
  const last = tokens.at(-1) ?? '';
  const named = last === 'id' ? valueAt(config, tokens) : undefined;
  return typeof named === 'string' ? [tokens.slice(0, -1), named] : [tokens, last];
};

/** The checks of a hook by their order, or those of a guardrail by their names, which have a dot. */
const checksIn = (around: Json | undefined): readonly unknown[] => {
  if (Array.isArray(around)) return around;
  return isJsonObject(around) ? Object.keys(around).filter((name) => name.includes('.')) : [];
};

/** The place to leave out for a check that is not here: the check, or the hook or guardrail that has no other. */
export const checkToLeaveOut = (config: Json, tokens: readonly string[]): readonly string[] => {
  const [place] = findCheck(config, tokens);
  const around = place.slice(0, -1);
  if (checksIn(valueAt(config, around)).length > 1) return place;
  return around.at(-1) === 'checks' ? around.slice(0, -1) : around;
};

/** The remedy for a check that is not here: what does the same. */
export const checkRemedy = (config: Json, tokens: readonly string[]): string => {
  const [, name] = findCheck(config, tokens);
  const check = counterpartOf(name.slice(name.indexOf('.') + 1)) ?? counterpartOf(name);
  return check === undefined
    ? 'Nothing is checked by it now: docs/reference/guardrails/README.md lists the checks that there are.'
    : `Nothing is checked by it now: write ${check} in its place, with the parameters of docs/reference/guardrails/README.md.`;
};
