import { compileRegex } from '../../schema/regex.ts';

const lookAround = /\(\?(?:<?[=!])/;
const backReference = /(?<!\\)(?:\\\\)*\\(?:[1-9]|k<)/;

/** Why a pattern cannot be used, as the end of a sentence; nothing where it can. */
export const regexProblem = (pattern: string): string | undefined => {
  try {
    compileRegex(pattern);
    return undefined;
  } catch (error) {
    if (lookAround.test(pattern)) return 'it looks around, which cannot be done in linear time';
    if (backReference.test(pattern)) return 'it refers back to a group, which cannot be done in linear time';
    const reason = error instanceof Error ? error.message.replace(/^error parsing regexp:\s*/i, '') : '';
    return reason === '' ? 'it cannot be read' : reason;
  }
};
