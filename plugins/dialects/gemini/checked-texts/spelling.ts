import type { Members } from '../../shared/checked-texts/members.ts';
import { snake } from '../../shared/json/snake.ts';

/** Adds the spellings of members' names. Requests may use camelCase or snake_case. */
export type Spelling = (members: Members) => Members;

/** Keeps the spelling of answers. */
export const camelCase: Spelling = (members) => members;

/** Lists each name in both spellings, one after the other. */
export const bothCases: Spelling = (members) =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, member]) => [
      [name, member],
      [snake(name), member],
    ]),
  );
