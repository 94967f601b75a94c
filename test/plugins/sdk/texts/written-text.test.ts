import { describe, expect, it } from 'vitest';
import { readFile, writtenText } from '../../../../plugins/sdk/texts/written-text.ts';

const words = 'The word is Grüße, and more.';
const utf8 = Buffer.from(words);
const utf16le = Buffer.from(words, 'utf16le');
const utf16be = Buffer.from(words, 'utf16le').swap16();
const withMark = (mark: readonly number[], bytes: Buffer): Buffer => Buffer.concat([Buffer.from(mark), bytes]);
const percent = (bytes: Buffer): string => bytes.toString('hex').replace(/../g, '%$&');

const forms: readonly (readonly [string, string])[] = [
  ['plain base64', utf8.toString('base64')],
  ['base64url', utf8.toString('base64url')],
  ['UTF-8 with a byte order mark', withMark([0xef, 0xbb, 0xbf], utf8).toString('base64')],
  ['UTF-16 with a byte order mark', withMark([0xff, 0xfe], utf16le).toString('base64')],
  ['big-endian UTF-16 with a byte order mark', withMark([0xfe, 0xff], utf16be).toString('base64')],
  ['UTF-16 without a byte order mark', utf16le.toString('base64')],
  ['big-endian UTF-16 without a byte order mark', utf16be.toString('base64')],
  ['Latin-1', Buffer.from(words, 'latin1').toString('base64')],
  ['a data URL', `data:text/plain;base64,${utf8.toString('base64')}`],
  ['a data URL with a charset', `data:text/plain;charset=utf-16;base64,${utf16le.toString('base64')}`],
  ['a data URL with a quoted charset', `data:text/plain;charset="UTF-16BE";base64,${utf16be.toString('base64')}`],
  ['a data URL without a type', `data:;base64,${utf8.toString('base64')}`],
  ['a data URL without a type and an encoding', `data:,${encodeURIComponent(words)}`],
  ['a percent-encoded data URL', `data:text/plain,${encodeURIComponent(words)}`],
  ['a percent-encoded data URL in upper case', `DATA:TEXT/PLAIN,${percent(utf8)}`],
  ['a percent-encoded data URL in UTF-16', `data:text/html;charset=utf-16le,${percent(utf16le)}`],
  ['a data URL with percent-encoded base64', `data:text/csv;base64,${percent(Buffer.from(utf8.toString('base64')))}`],
  ['a data URL of another type that contains text', `data:application/pdf;base64,${utf8.toString('base64')}`],
];

describe('a file in a body', () => {
  it.each(forms)('is decoded as %s, and new text is encoded the same way', (_name, data) => {
    const file = readFile(data);
    expect(file).toMatchObject({ is: 'encoded', text: words });
    if (file.is !== 'encoded') return;
    const again = readFile(file.write('Another one.'));
    expect(again).toMatchObject({ is: 'encoded', text: 'Another one.' });
    expect(file.write('Another one.').slice(0, 15)).toContain(data.startsWith('data:') ? data.slice(0, 5) : '');
    expect(file.write('x').startsWith('data:')).toBe(data.startsWith('data:'));
  });

  it('is the text itself if it is not encoded', () => {
    expect(readFile(words)).toEqual({ is: 'plain', text: words });
    expect(readFile('data: is a word')).toEqual({ is: 'plain', text: 'data: is a word' });
  });

  it('is binary if it is not text or cannot be decoded', () => {
    const image = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3, 4, 5, 6, 7, 0xff, 0xfa, 0, 0]).toString('base64');
    expect(readFile(image)).toEqual({ is: 'binary', isText: false });
    expect(readFile(`data:image/png;base64,${image}`)).toEqual({ is: 'binary', isText: false });
    expect(readFile('data:text/plain;charset=ebcdic-cp-us,%81')).toEqual({ is: 'binary', isText: true });
    // A file whose media type is text counts as text, whatever bytes it contains.
    expect(readFile(`data:text/plain;base64,${image}`)).toMatchObject({ is: 'encoded' });
  });

  it('rejects new text that its encoding cannot represent', () => {
    const file = readFile(Buffer.from(words, 'latin1').toString('base64'));
    expect(() => file.is === 'encoded' && file.write('你好')).toThrow(RangeError);
  });
});

describe('a string of unknown content', () => {
  it('is treated as a file only if that is certain', () => {
    expect(writtenText('data:text/plain,a%20b')).toMatchObject({ is: 'encoded', text: 'a b' });
    expect(writtenText(Buffer.from('how to do it').toString('base64'))).toMatchObject({ text: 'how to do it' });
    for (const plain of ['secret', 'abcd', 'internationalise', 'msg_0123456789abcdefghij', 'Two words.', ''])
      expect(writtenText(plain)).toEqual({ is: 'plain', text: plain });
  });
});
