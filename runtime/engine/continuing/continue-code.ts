/** The code of fallbacks whose streams go on elsewhere. */
export { linkContinue } from './link-continue.ts';
