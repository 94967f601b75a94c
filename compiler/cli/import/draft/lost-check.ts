import type { Diagnostic } from '../../../../schema/errors/diagnostic.ts';
import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import { valueAt } from '../../../../schema/json/look-up.ts';
import { fromPointer } from '../../../../schema/json/pointer.ts';
import { hookNames } from '../../../../schema/portkey/hooks.ts';
import { isCheckName, isOwnName } from '../../../../schema/portkey/members.ts';
import { counterpartOf } from './check-counterparts.ts';
import { without } from './left-out.ts';

type Place = readonly string[];

/** The place of something inside the hooks and guardrails of a config. */
interface CheckedPlace {
  /** The hook or the guardrail, or the list of them if that is meant. */
  readonly item: Place;
  readonly check?: Place;
  /** The parameters of the check. In a guardrail, they are the check itself. */
  readonly parameters?: Place;
}

const findChecked = (tokens: Place): CheckedPlace | undefined => {
  const list = tokens.findIndex((token) => hookNames.includes(token));
  if (list === -1 || tokens.slice(0, list).some(isOwnName)) return undefined;
  const item = tokens.slice(0, list + 2);
  const [member, index] = tokens.slice(item.length);
  if (tokens[list]?.endsWith('_hooks') !== true) {
    if (member === undefined || !isCheckName(member)) return { item };
    return { item, check: [...item, member], parameters: [...item, member] };
  }
  if (member !== 'checks' || index === undefined) return { item };
  const check = [...item, member, index];
  return { item, check, parameters: [...check, 'parameters'] };
};

/** Counts the checks of a hook by its list, or those of a guardrail by their names. */
const countChecks = (item: Json | undefined): number => {
  if (!isJsonObject(item)) return 0;
  return Array.isArray(item.checks) ? item.checks.length : Object.keys(item).filter(isCheckName).length;
};

/** Whether nothing is checked without this member of a hook, a guardrail or a check. */
const isNeeded = (member: string | undefined, { item, check, parameters }: CheckedPlace, config: Json): boolean => {
  if (check !== undefined) return check !== parameters && (member === 'id' || member === 'parameters');
  return member === 'checks' || (member === 'id' && countChecks(valueAt(config, item)) === 0);
};

/** Whether the parameters of a check are empty without the one that is wrong. Does not apply to a parameter that is unknown. */
const isLastParameter = (config: Json, tokens: Place, { parameters }: CheckedPlace): boolean => {
  const value = parameters === undefined ? undefined : valueAt(config, parameters);
  return value !== undefined && without(value, tokens.slice(parameters?.length)) === undefined;
};

/** A place that is removed from a config because of a finding. */
export interface LeftOutPlace {
  readonly place: Place;
  /** The object around it that is kept, even if it becomes empty. */
  readonly stays?: Place | undefined;
  /** The check, the hook or the guardrail that contains it, or that it is. */
  readonly checked?: Place | undefined;
  /** Whether all of that is removed, so that it checks nothing any more. */
  readonly isUnchecked: boolean;
}

/**
 * Returns the place to remove for a finding in a hook or a guardrail. A check that cannot work without the part is removed with
 * it.
 */
export const checkedToLeaveOut = (config: Json, tokens: Place, code: string): LeftOutPlace | undefined => {
  const found = findChecked(tokens);
  if (found === undefined) return undefined;
  const { item, check } = found;
  const [member, ...deeper] = tokens.slice((check ?? item).length);
  const isWhole =
    code === 'unknown-check' ||
    member === undefined ||
    (deeper.length === 0 && isNeeded(member, found, config)) ||
    (code !== 'unknown-key' && isLastParameter(config, tokens, found));
  if (!isWhole) return { place: tokens, stays: found.parameters, checked: check ?? item, isUnchecked: false };
  const place = check !== undefined && countChecks(valueAt(config, item)) > 1 ? check : item;
  return { place, checked: place, isUnchecked: true };
};

/** Returns the name of the check that a finding reports as unknown. */
const unknownName = (config: Json, tokens: Place): string => {
  const last = tokens.at(-1) ?? '';
  const named = last === 'id' ? valueAt(config, tokens) : undefined;
  return typeof named === 'string' ? named : last;
};

/** Returns the remedy for a check that is lost because of a finding. */
export const checkRemedy = (config: Json, { code, pointer }: Diagnostic, hint = ''): string => {
  if (code === 'unknown-guardrail')
    return 'It checks nothing until you write it under "guardrails" in gateway.json, and name it in the config again.';
  if (code !== 'unknown-check')
    return `It checks nothing now: correct it in this file, and import the file again into another folder. ${hint}`.trimEnd();
  const name = unknownName(config, fromPointer(pointer));
  const check = counterpartOf(name.slice(name.indexOf('.') + 1)) ?? counterpartOf(name);
  return check === undefined
    ? 'It checks nothing now: docs/reference/guardrails/README.md lists the available checks.'
    : `It checks nothing now: write ${check} instead, with the parameters of docs/reference/guardrails/README.md.`;
};
