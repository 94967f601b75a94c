import { comma, isSpace } from '../../../schema/json/json-bytes.ts';
import { type MemberPlace, topMember } from './top-member.ts';

/** Returns the text of a JSON object without the member at a place. All other characters stay as they are. */
export const withoutPlace = (text: string, { from, end }: MemberPlace): string => {
  let before = from - 1;
  while (isSpace(text.charCodeAt(before))) before -= 1;
  if (text.charCodeAt(before) === comma) return text.slice(0, before) + text.slice(end);
  return text.slice(0, from) + text.slice(text.charCodeAt(end) === comma ? end + 1 : end);
};

/** Returns the text of a JSON object without one of its members. */
export const withoutMember = (text: string, name: string): string => {
  const place = topMember(text, name);
  return place === undefined ? text : withoutPlace(text, place);
};
