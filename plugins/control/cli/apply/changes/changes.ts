import { canonicalJson } from '../../../../../schema/json/canonical.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../../schema/json/json.ts';
import { isPlaceholder } from '../../../kernel/secrets/literals.ts';
import { printable } from '../../resources/texts.ts';
import type { MemberChange } from './step.ts';

/** Stands for a stored secret that differs from that of the file. */
export const otherSecret = 'gw-sealed:other';

const longest = 100;

const shownValue = (value: Json): string => {
  if (typeof value === 'string' && isPlaceholder(value)) return '(a secret)';
  const text = printable(JSON.stringify(value));
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
};

const change = (member: string, before: Json | undefined, after: Json | undefined): MemberChange => ({
  member,
  ...(before !== undefined && { before: shownValue(before) }),
  ...(after !== undefined && { after: shownValue(after) }),
});

const compareLists = (before: readonly Json[], after: readonly Json[], at: string): readonly MemberChange[] =>
  Array.from({ length: Math.max(before.length, after.length) }, (_, index) =>
    compareValues(before[index], after[index], `${at}/${index}`),
  ).flat();

const compareValues = (before: Json | undefined, after: Json | undefined, at: string): readonly MemberChange[] => {
  if (before !== undefined && after !== undefined && canonicalJson(before) === canonicalJson(after)) return [];
  if (isJsonObject(before) && isJsonObject(after)) return compareMembers(before, after, at);
  if (Array.isArray(before) && Array.isArray(after) && [...before, ...after].some(isJsonObject))
    return compareLists(before, after, at);
  return before === undefined && after === undefined ? [] : [change(at, before, after)];
};

/** Lists the members that differ, including nested members, in readable form. */
export const compareMembers = (before: JsonObject, after: JsonObject, at = ''): readonly MemberChange[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .sort()
    .flatMap((name) => compareValues(before[name], after[name], at === '' ? name : `${at}/${name}`));
