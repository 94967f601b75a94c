import { compileRegex } from '../../schema/text/regex.ts';

const lookAround = /\(\?(?:<?[=!])/;
const backReference = /(?<!\\)(?:\\\\)*\\(?:[1-9]|k<)/;

/** `*.example.com` and `gpt-*`, where the star has nothing to repeat. */
const glob = /^[*+?]/;

/** Returns why a pattern cannot be used, as the end of a sentence; `undefined` if it can. */
export const regexProblem = (pattern: string): string | undefined => {
  try {
    compileRegex(pattern);
    return undefined;
  } catch (error) {
    if (glob.test(pattern)) return `it starts with "${pattern.charAt(0)}", which has nothing to repeat`;
    if (lookAround.test(pattern)) return 'it has a look-ahead or look-behind, which RE2 does not support';
    if (backReference.test(pattern)) return 'it has a back-reference, which RE2 does not support';
    const reason = error instanceof Error ? error.message.replace(/^error parsing regexp:\s*/i, '') : '';
    return reason === '' ? 'it cannot be parsed' : reason;
  }
};

/** Suggests what to do about a pattern that cannot be used for this reason. */
export const regexHint = (pattern: string, why: string): string => {
  if (glob.test(pattern))
    return 'This looks like a glob; a pattern matches anywhere in the text, and ".*" means any characters.';
  return why.startsWith('it is too large')
    ? 'Write a shorter pattern, or split it into several checks or conditions.'
    : 'Use RE2 syntax, which runs in linear time: no look-aheads, look-behinds or back-references.';
};
