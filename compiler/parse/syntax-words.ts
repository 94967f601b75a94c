import { type ParseErrorCode, printParseErrorCode } from 'jsonc-parser';

const words: Readonly<Record<string, string>> = {
  InvalidSymbol: 'JSON does not know this, and wants keys and texts in double quotes',
  InvalidNumberFormat: 'this is not a number',
  PropertyNameExpected: 'a key in double quotes is expected here',
  ValueExpected: 'a value is expected here',
  ColonExpected: 'a colon is expected here',
  CommaExpected: 'a comma is expected here',
  CloseBraceExpected: 'a closing brace is missing',
  CloseBracketExpected: 'a closing bracket is missing',
  EndOfFileExpected: 'nothing may follow the end of the value',
  InvalidCommentToken: 'comments are read in files only',
  UnexpectedEndOfComment: 'the comment does not end',
  UnexpectedEndOfString: 'the text has no closing double quote',
  UnexpectedEndOfNumber: 'the number breaks off',
  InvalidUnicode: 'the \\u escape needs four hexadecimal digits',
  InvalidEscapeCharacter: 'JSON does not know this escape',
  InvalidCharacter: 'the text has a control character, which must be escaped',
};

/** What a syntax error is, as the end of a sentence. */
export const syntaxWords = (code: ParseErrorCode): string =>
  words[printParseErrorCode(code)] ?? 'JSON does not allow this here';
