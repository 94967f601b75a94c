import type { Detector, Finding } from '../search/finding.ts';
import { marksIn } from '../search/marks-in.ts';

/** The maximum length of a key that is found completely. An RSA key with 8,192 bits has about 6,400 characters. */
export const longestPrivateKey = 8400;

const beginLine = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----/y;
/**
 * Matches up to the last line of the key, which is the next with five hyphens. A header such as `DEK-Info` may contain single
 * hyphens.
 */
const endPattern = /(?:[^-]|-(?!----)){0,8192}-----END [A-Z0-9 ]{1,60}-----/y;
/** Matches the lines of a key without its last line. Line breaks may be escaped, as in JSON. */
const lines = /(?:(?:\r?\n|\\n|\\r\\n)[ \t]{0,8}[A-Za-z0-9+/=]{1,80}){1,120}/y;

/** The minimum number of characters of a key; an Ed25519 key has 64. Texts about keys have none. */
const fewest = 60;

const matchAt = (pattern: RegExp, text: string, at: number): string | undefined => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
};

/** Finds private keys in PEM armour (https://www.rfc-editor.org/rfc/rfc7468), up to their last line, or as far as they go. */
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
