import { describe, expect, it } from 'vitest';
import { utf8Text } from '../../../schema/text/utf8-text.ts';

describe('the text of a file', () => {
  it.each(['', '\n', '{"city":"Zürich"}\n', '\u{feff}{}', '\u{fffd} 🙂'])('is %j if it is in UTF-8', (text) => {
    expect(utf8Text(Buffer.from(text))).toBe(text);
  });

  it.each([
    ['the first line', Buffer.from('"Zürich"', 'latin1'), 1],
    ['a later line', Buffer.from('{\n\n"Zürich"\n"Bern"}', 'latin1'), 3],
    ['the last line', Buffer.concat([Buffer.from('ü\n'), Buffer.from([0xc3])]), 2],
    ['UTF-16 with a byte order mark', Buffer.from('\u{feff}{}', 'utf16le'), 1],
  ])('is rejected with the line number if it is in another encoding: %s', (_, bytes, line) => {
    expect(() => utf8Text(bytes)).toThrow(`Line ${line} is not in UTF-8. Save the file as UTF-8.`);
  });
});
