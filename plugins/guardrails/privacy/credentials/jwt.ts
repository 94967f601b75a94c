import type { Detector, Finding } from '../search/finding.ts';
import { marksIn } from '../search/marks-in.ts';
import { followsWord } from '../search/word-borders.ts';

/** The maximum length of a token that is found. */
export const longestJwt = 6200;

const token = /eyJ[\w-]{8,1024}\.eyJ[\w-]{5,4096}\.[\w-]{0,1024}/y;

/** Whether the first part is the header of a token: https://www.rfc-editor.org/rfc/rfc7519#section-5. */
const hasHeader = (found: string): boolean =>
  Buffer.from(found.slice(0, found.indexOf('.')), 'base64url')
    .toString('latin1')
    .includes('"alg"');

/** Finds JSON web tokens. */
export const findJwts: Detector = (text) => {
  const found: Finding[] = [];
  for (const from of marksIn(text, 'eyJ')) {
    if (followsWord(text, from) || from < (found.at(-1)?.to ?? 0)) continue;
    token.lastIndex = from;
    const match = token.exec(text)?.[0];
    if (match !== undefined && hasHeader(match)) found.push({ kind: 'jwt', from, to: from + match.length });
  }
  return found;
};
