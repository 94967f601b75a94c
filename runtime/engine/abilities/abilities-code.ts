/** The code of groups that ask only branches which are able to serve a request. */
export { createAbilities } from './create-abilities.ts';
export { linkRequired } from './required-branches.ts';
