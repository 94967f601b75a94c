const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Returns a header's text. node:http reads its bytes as Latin-1, but clients that send more than ASCII mostly mean UTF-8. */
export const wireText = (text: string): string => {
  if (!/[\x80-\xff]/.test(text)) return text;
  try {
    return utf8.decode(Buffer.from(text, 'latin1'));
  } catch {
    return text;
  }
};
