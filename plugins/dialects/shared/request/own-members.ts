import { isDeepStrictEqual } from 'node:util';
import type { Conversation } from '../../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import { Member } from '../json/member.ts';
import { mergeJson } from '../json/merge-json.ts';
import { snake } from '../json/snake.ts';

/** Returns a value in its place in a dialect, or undefined if the model has no such member. */
type OwnPlace = (value: Json, model: string | undefined) => JsonObject | undefined;

/**
 * The members of a dialect that requests of other dialects, and parameters of configs, may also contain, by the names that they
 * have there.
 */
export type OwnMembers = ReadonlyMap<string, OwnPlace>;

/** A member at the top level of a request, under its own name. */
export const topLevelMember = (name: string): readonly [string, OwnPlace] => [name, (value) => ({ [name]: value })];

/** Returns the spellings of a name that are present. Clients of OpenAI's format write all members in snake_case. */
const spelled = (fields: JsonObject, name: string): readonly string[] =>
  [...new Set([name, snake(name)])].filter((spelling) => (lookUp(fields, spelling) ?? null) !== null);

/**
 * Rejects a member with two spellings and different values. A client and the config that overrides its request could spell it
 * differently, and neither of the two takes precedence.
 */
const refuseDifferent = (dialect: string, fields: JsonObject, [first = '', ...others]: readonly string[]): void => {
  for (const other of others)
    if (!isDeepStrictEqual(fields[first], fields[other]))
      new Member(dialect, other, fields[other]).fail(`differs from ${first}, which is the same member`);
};

/**
 * Moves fields of other dialects to `dialect` if it has members with these names. Throws the `GatewayError` `invalid-request` for
 * a member that is written in two spellings with different values.
 */
export const withOwnMembers = (conversation: Conversation, dialect: string, members: OwnMembers): Conversation => {
  const { model } = conversation;
  const extensions = { ...conversation.extensions };
  for (const [other, fields] of Object.entries(conversation.extensions)) {
    if (other === dialect) continue;
    for (const [name, place] of members) {
      const names = spelled(fields, name);
      const value = fields[names[0] ?? name];
      const placed = value === undefined || value === null ? undefined : place(value, model);
      if (placed === undefined) continue;
      refuseDifferent(other, fields, names);
      const left = Object.entries(extensions[other] ?? {}).filter(([each]) => !names.includes(each));
      extensions[other] = Object.fromEntries(left);
      extensions[dialect] = mergeJson(extensions[dialect] ?? {}, placed);
    }
  }
  return { ...conversation, extensions };
};
