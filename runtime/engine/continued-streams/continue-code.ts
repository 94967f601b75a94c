/** The code of fallbacks whose streams continue elsewhere. */
export { linkContinue } from './link-continue.ts';
