import type { JsonRules, SyntaxMessages } from './syntax-messages.ts';

const yaml: SyntaxMessages = { why: 'it looks like YAML', hint: 'Write the config as JSON: { "provider": … }.' };

const otherEncoding: SyntaxMessages = {
  why: 'it is encoded in UTF-16 or UTF-32',
  hint: 'Save the file as UTF-8.',
};

const zero: SyntaxMessages = { why: 'it contains a zero character (U+0000)', hint: 'Remove the character.' };

/** Texts in UTF-16 or UTF-32, in which one of the first two characters is zero. */
const wide = /^.?\0/s;

/** Returns the message for a text that contains zero characters. */
export const zeroMessages = (text: string): SyntaxMessages => (wide.test(text) ? otherEncoding : zero);

const formats: readonly (readonly [RegExp, SyntaxMessages])[] = [
  [wide, otherEncoding],
  [/\0/, zero],
  [/^\s*```/, { why: 'it is inside a Markdown code fence', hint: 'Remove the lines that begin with ```.' }],
  [/^\s*<[?!A-Za-z]/, { why: 'it looks like XML or HTML', hint: 'Write the config as JSON: { "provider": … }.' }],
  [
    /^\s*(?:export\s+default\b|module\.exports\b|exports\b|import\s|(?:export\s+)?(?:const|let|var)\s)/,
    { why: 'it is JavaScript', hint: 'Keep only the object, with its keys and strings in double quotes.' },
  ],
  [
    /^\s*(?:\(|return\b|[a-z_]\w*\s*=\s*\{|[a-z_][\w.]*\()/i,
    { why: 'it is program code', hint: 'Keep only the object itself.' },
  ],
  [
    /^(?:\s*(?:[#;].*)?\n)*\s*(?:\[\[?[\w.-]+\]\]?\s*\n|[\w.-]+\s*=\s*\S)/,
    { why: 'it looks like TOML or an INI file', hint: 'Write the config as JSON: { "provider": … }.' },
  ],
  [/^(?:\s*(?:#.*)?\n)*(?:%YAML|---|\s*- |\s*["']?[A-Za-z_$][\w.$-]*["']?\s*:(?:\s|$))/, yaml],
];

/** How many characters of a text are examined. The beginning is enough to recognise its format. */
const longestStart = 2000;

/** Recognises the format of a text that is not JSON by its beginning; `undefined` if it looks like JSON with an error. */
export const otherFormat = (text: string, rules: JsonRules): SyntaxMessages | undefined => {
  const start = text.slice(0, longestStart);
  const found = formats.find(([pattern]) => pattern.test(start))?.[1];
  if (found !== yaml || rules === 'json') return found;
  return { ...yaml, hint: 'Rename the file so that it ends in .yaml, or write JSON: { "provider": … }.' };
};
