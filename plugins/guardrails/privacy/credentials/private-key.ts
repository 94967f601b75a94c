import type { Detector, Finding } from '../search/finding.ts';
import { marksIn } from '../search/marks-in.ts';

/** The longest key that is found whole: one of RSA with 8,192 bits takes some 6,400 characters. */
export const longestPrivateKey = 8400;

const beginLine = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----/y;
/** To the line that ends it, which is the next with five hyphens. A header such as `DEK-Info` may have single ones. */
const endPattern = /(?:[^-]|-(?!----)){0,8192}-----END [A-Z0-9 ]{1,60}-----/y;
/** Matches the lines of a key without that line. A line break may be written out, as in JSON. */
const lines = /(?:(?:\r?\n|\\n|\\r\\n)[ \t]{0,8}[A-Za-z0-9+/=]{1,80}){1,120}/y;

/** The fewest characters of a key: one of Ed25519 has 64. Texts about keys have none. */
const fewest = 60;

const matchAt = (pattern: RegExp, text: string, at: number): string | undefined => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
};

/** Private keys in their armour (https://www.rfc-editor.org/rfc/rfc7468), to their last line, or as far as they go. */
export const findPrivateKeys: Detector = (text) => {
  const found: Finding[] = [];
  for (const from of marksIn(text, '-----BEGIN ')) {
    const begin = matchAt(beginLine, text, from);
    if (begin === undefined) continue;
    const body = from + begin.length;
    const key = matchAt(endPattern, text, body) ?? matchAt(lines, text, body);
    if (key !== undefined && key.replaceAll(/[^A-Za-z0-9+/]/g, '').length >= fewest)
      found.push({ kind: 'private-key', from, to: body + key.length });
  }
  return found;
};
