/** The code of groups that call only branches that are able to serve a request. */
export { createAbilities } from './create-abilities.ts';
export { linkRequired } from './required-branches.ts';
