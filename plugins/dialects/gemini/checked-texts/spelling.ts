import type { Members } from '../../wire/checked-texts/members.ts';
import { snake } from '../../wire/json/snake.ts';

/** Members as their values are written: requests may spell their names in camelCase or in snake_case. */
export type Spelling = (members: Members) => Members;

/** As answers spell them. */
export const camelCase: Spelling = (members) => members;

/** Each name in both spellings, one after the other. */
export const bothCases: Spelling = (members) =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, member]) => [
      [name, member],
      [snake(name), member],
    ]),
  );
