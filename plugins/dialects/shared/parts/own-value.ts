import type { Extensions, OtherPart } from '../../../../schema/conversation/conversation.ts';
import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import { keepSources } from '../../../../schema/json/number-sources.ts';
import type { Member } from '../json/member.ts';
import { mergeJson } from '../json/merge-json.ts';
import { omit } from '../json/omit.ts';

/** Returns the value of a part that only one dialect has, if it is this dialect. */
export const ownValue = ({ dialect, value }: Omit<OtherPart, 'kind'>, own: string): JsonObject | undefined =>
  dialect === own && isJsonObject(value) ? value : undefined;

/** The members of a tool or a part that a conversation expresses: those of the object, and those of objects within it. */
export interface KnownMembers {
  readonly names: ReadonlySet<string>;
  readonly within?: Readonly<Record<string, ReadonlySet<string>>>;
}

const none: Readonly<Record<string, never>> = {};

/** Returns the members of an object in an answer that only its dialect has, or undefined if there are none, which is usual. */
export const ownMembers = (
  object: JsonObject,
  dialect: string,
  { names, within = none }: KnownMembers,
): Extensions | undefined => {
  let own = omit(object, names);
  for (const [name, known] of Object.entries(within)) {
    const value = lookUp(object, name);
    const inner = isJsonObject(value) ? omit(value, known) : undefined;
    if (inner !== undefined) own = own === undefined ? { [name]: inner } : keepSources({ ...own, [name]: inner }, own);
  }
  return own === undefined ? undefined : { [dialect]: own };
};

/** Like `ownMembers`, for an object in a request. */
export const findExtensions = (wire: Member, known: KnownMembers): Extensions | undefined =>
  ownMembers(wire.object(), wire.dialect, known);

/** Adds the members that only this dialect has to a tool or a part that it has encoded. */
export const extended = (
  wire: JsonObject,
  { extensions }: { readonly extensions?: Extensions },
  dialect: string,
): JsonObject => {
  const own = extensions?.[dialect];
  return own === undefined ? wire : mergeJson(wire, own);
};
