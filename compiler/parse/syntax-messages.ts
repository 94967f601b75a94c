import { type ParseErrorCode, printParseErrorCode } from 'jsonc-parser';

/** The rules for a JSON text: JSONC for files, and JSON for a text that comes with a request. */
export type JsonRules = 'jsonc' | 'json';

/** A syntax error: what it is, as the end of a sentence, and what to do about it. */
export interface SyntaxMessages {
  readonly why: string;
  readonly hint: string;
  /** The change that corrects it, in a file. */
  readonly mend?: 'straighten-quotes';
}

const say = (why: string, hint: string): SyntaxMessages => ({ why, hint });

/** How deep values may be nested. Nobody nests them deeper, and recursion needs a limit. */
export const maxNesting = 100;

export const tooDeep: SyntaxMessages = say(
  `it is nested more than ${maxNesting} levels deep`,
  'Put groups side by side, or split the config.',
);

/** The error for a whole number that would change when it is read. */
export const tooManyDigits: SyntaxMessages = say(
  'this number has more digits than a number can keep',
  'Write a number with fewer digits, or put it in quotes if a string is accepted.',
);

/** Whether a number differs from what its digits state: large whole numbers are rounded silently. */
export const isRounded = (value: number, digits: string): boolean =>
  Math.abs(value) > Number.MAX_SAFE_INTEGER &&
  /^-?\d+$/.test(digits) &&
  String(value) !== digits &&
  BigInt(value) !== BigInt(digits);

export const isEmpty: SyntaxMessages = say(
  'it is empty',
  'Write an object, such as { "provider": "echo" } in a config, {} in a gateway file, or { "tests": [ … ] } in a file of route tests.',
);

const words: Readonly<Record<string, SyntaxMessages>> = {
  InvalidSymbol: say('this is not a JSON value', 'Write keys and strings in double quotes.'),
  InvalidNumberFormat: say('this is not a JSON number', 'Write a number such as 1, 0.5 or 1e3.'),
  PropertyNameExpected: say('a key in double quotes is expected here', 'Write the key in double quotes.'),
  ValueExpected: say('a value is expected here', 'Write a value, or remove the key.'),
  ColonExpected: say('a colon is expected here', 'Write a colon between the key and its value.'),
  CommaExpected: say(
    'a comma is expected here',
    'Add a comma before this; a double quote inside a string is written \\".',
  ),
  CloseBraceExpected: say('a closing brace is missing', 'Add "}" where the object ends.'),
  CloseBracketExpected: say('a closing bracket is missing', 'Add "]" where the list ends.'),
  EndOfFileExpected: say('text follows the end of the config', 'Remove what follows.'),
  InvalidCommentToken: say('comments are allowed only in files', 'Remove the comment.'),
  UnexpectedEndOfComment: say('this comment does not end', 'Add "*/" where the comment ends.'),
  UnexpectedEndOfString: say(
    'this string has no closing double quote',
    'Add the closing quote; a line break inside a string is written \\n.',
  ),
  UnexpectedEndOfNumber: say('this number is incomplete', 'Write a number such as 1, 0.5 or 1e3.'),
  InvalidUnicode: say('the \\u escape needs four hexadecimal digits', 'Write for instance \\u00e9.'),
  InvalidEscapeCharacter: say('JSON does not have this escape', 'Write \\\\ for a backslash.'),
  InvalidCharacter: say('this string contains a control character', 'Write \\n for a line break and \\t for a tab.'),
};

const notDecimal = say('this is not a JSON number', 'Write it in decimal, without leading zeros.');

const notExpected = say('JSON does not allow this here', 'Correct the text here.');

/** Beginnings of the text at an error that reveal more than the parser's error code. */
const beginnings: readonly (readonly [RegExp, SyntaxMessages])[] = [
  [/^'/, { ...say('it uses single quotes', 'Write keys and strings in double quotes.'), mend: 'straighten-quotes' }],
  [/^[\u2018-\u201f\u00ab\u00bb]/, say('it uses typographic quotes', 'Replace them with straight double quotes.')],
  [/^`/, say('it uses backticks', 'Write keys and strings in double quotes.')],
  [/^#/, say('"#" does not start a comment', 'Remove it, or write // … instead; files may have such comments.')],
  [/^[-+]?NaN\b/, say('NaN is not a JSON value', 'Write a number.')],
  [/^[-+]?Infinity\b/, say('Infinity is not a JSON value', 'Write a number.')],
  [/^undefined\b/, say('undefined is not a JSON value', 'Write a value, or remove the key.')],
  [/^(?:None|nil|NULL|Null)\b/, say('this is not how JSON writes null', 'Remove the key, or write null.')],
  [/^(?:True|TRUE|yes|Yes|YES)\b/, say('this is not how JSON writes true', 'Write true, in lower case.')],
  [/^(?:False|FALSE|no|No|NO)\b/, say('this is not how JSON writes false', 'Write false, in lower case.')],
  [/^\.\.\./, say('it contains an ellipsis', 'Write out what "..." means, or remove it.')],
  [/^[+.]\d/, say('this is not a JSON number', 'Write a digit first, without "+".')],
  [/^\\["']/, say('it has a backslash before a quote', 'Remove the backslashes before the quotes.')],
  [/^;/, say('JSON has no semicolons', 'Write a comma between members, and nothing at the end.')],
  [/^=/, say('a key and its value are separated by a colon', 'Write ":" instead of "=".')],
  [
    /^[\u00a0\u2000-\u200d\u2028\u2029\u3000\ufeff]/,
    say('it contains an invisible character', 'Replace it with an ordinary space.'),
  ],
  [/^\$\{/, say('this reference is not in double quotes', 'Put double quotes around it.')],
  [/^[A-Za-z_$][\w$-]*\s*:/, say('this key is not in double quotes', 'Put double quotes around the key.')],
  [/^[A-Za-z_$@]/, say('this string is not in double quotes', 'Put double quotes around it.')],
];

const closers = {
  '}': say('a closing bracket is missing before this brace', 'Add "]" before it.'),
  ']': say('a closing brace is missing before this bracket', 'Add "}" before it.'),
} as const;

/** Describes what may have happened after the end of a document. */
const afterEnd = (rest: string): SyntaxMessages | undefined => {
  if (/^[{[]/.test(rest))
    return say(
      'a second document follows the first',
      'Keep one config in a file; put the other into its own file, or both into "targets".',
    );
  if (/^[}\]]/.test(rest)) return say('there is one closing bracket or brace too many', 'Remove it.');
  return /^,/.test(rest) ? say('a comma follows the end of the config', 'Remove the comma.') : undefined;
};

/** Where the parser stopped: the text from there on, the character before it, and whether it follows a whole value. */
export interface SyntaxPlace {
  readonly rest: string;
  readonly before: string;
  readonly isAfterEnd: boolean;
}

/** Describes a syntax error by the parser's code and its place. */
export const syntaxMessages = (code: ParseErrorCode, { rest, before, isAfterEnd }: SyntaxPlace): SyntaxMessages => {
  const said = printParseErrorCode(code);
  // The parser ends an object or a list before it reports that its end is missing.
  const isOver = isAfterEnd && !said.startsWith('Close') && !rest.startsWith('#');
  const name = isOver ? 'EndOfFileExpected' : said;
  if (before === '0' && /^[\dxXbBoO]/.test(rest)) return notDecimal;
  const after = name === 'EndOfFileExpected' ? afterEnd(rest) : undefined;
  if (after !== undefined) return after;
  const [first = ''] = rest;
  if (name === 'CommaExpected' && (first === '}' || first === ']')) return closers[first];
  if ((name === 'ValueExpected' || name === 'PropertyNameExpected') && /^[,}\]]/.test(rest))
    return first === ','
      ? say('there is a comma too many', 'Remove one of the commas.')
      : name === 'ValueExpected'
        ? (words.ValueExpected ?? notExpected)
        : say('there is a comma before the end', 'Remove the comma.');
  const known = name === 'EndOfFileExpected' || name.startsWith('Unexpected') ? undefined : beginnings;
  return known?.find(([pattern]) => pattern.test(rest))?.[1] ?? words[name] ?? notExpected;
};
