/** The maximum number of characters of a text that are decoded. */
const max = 65_536;

const base64 = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,8192}={0,2}(?![A-Za-z0-9+/_=-])/g;
const readable = /^[\t\n\r\x20-\x7E\u00A0-\uFFFF]+$/;

/** Decodes the Base64 in a text, as far as the result is text. */
export const decodedTexts = (text: string): readonly string[] => {
  const found: string[] = [];
  let rest = max;
  for (const [piece] of text.matchAll(base64)) {
    if (piece.length > rest) break;
    rest -= piece.length;
    const decoded = Buffer.from(piece, 'base64').toString('utf8');
    if (readable.test(decoded)) found.push(decoded);
  }
  return found;
};
