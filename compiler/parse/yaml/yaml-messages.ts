import type { ErrorCode } from 'yaml';
import type { SyntaxMessages } from '../syntax-messages.ts';

const say = (why: string, hint: string): SyntaxMessages => ({ why, hint });

const indentation = say(
  'the indentation does not fit the lines above',
  'Indent members of one object by the same number of spaces.',
);

const noColon = say(
  'a colon is missing, or a key goes over several lines',
  'Write KEY: VALUE on one line, with a space after the colon.',
);

const noSpace = say('no space follows the colon', 'Write a space after the colon.');

/** The parser's error codes in users' words. */
const messages: Partial<Record<ErrorCode, SyntaxMessages>> = {
  ALIAS_PROPS: say('an alias has an anchor or a tag of its own', 'Remove what precedes the "*".'),
  BAD_ALIAS: say('this is not the name of an anchor', 'Write "*" and the name of an anchor, or put quotes around it.'),
  BAD_COLLECTION_TYPE: say('the tag does not fit the value', 'Remove the tag.'),
  BAD_DQ_ESCAPE: say('double quotes do not have this escape', 'Write \\\\ for a backslash, or use single quotes.'),
  BAD_INDENT: indentation,
  BAD_PROP_ORDER: say('an anchor or a tag is at the wrong place', 'Write it directly before its value.'),
  BAD_SCALAR_START: say('a string cannot begin with this character', 'Put quotes around the string.'),
  BLOCK_AS_IMPLICIT_KEY: say(
    'a key and its value begin another key here, or the line below is indented further than this one',
    'Put quotes around a string with a colon and a space in it; put an inner key on a line of its own, and indent the lines by the same number of spaces.',
  ),
  BLOCK_IN_FLOW: say('a value inside brackets or braces is written as a block', 'Write it on one line.'),
  KEY_OVER_1024_CHARS: say('a key is longer than 1,024 characters', 'Write a shorter key.'),
  MULTILINE_IMPLICIT_KEY: noColon,
  MULTIPLE_ANCHORS: say('a value has two anchors', 'Keep one of them.'),
  MULTIPLE_TAGS: say('a value has two tags', 'Remove the tags.'),
  TAB_AS_INDENT: say('it is indented by a tab', 'Indent it by spaces.'),
  TAG_RESOLVE_FAILED: say('the value does not fit its tag', 'Remove the tag.'),
};

const missing: readonly (readonly [RegExp, SyntaxMessages])[] = [
  [/quote/, say('a closing quote is missing', 'Add it where the string ends.')],
  [/\]/, say('a closing bracket is missing', 'Add "]" where the list ends.')],
  [/\}/, say('a closing brace is missing', 'Add "}" where the object ends.')],
  [/,/, say('a comma is missing', 'Add a comma between the values.')],
  [/^Sequence item without -/, indentation],
  [/^Implicit map keys/, noColon],
];

/** The name of a member with its value directly after the colon: to YAML both are one string. */
const joined = /^[A-Za-z_][\w-]*:\S/;

/** A brace inside other braces begins an object. */
export const bareReference: SyntaxMessages = say(
  'a reference inside brackets or braces has no quotes',
  'Put double quotes around it: "${env:NAME}".',
);

const unexpected = say('this is not expected here', 'Put quotes around the string, or correct the indentation.');

/** Describes an error, given the parser's code, its message and the text that it is about. */
export const yamlMessages = (code: ErrorCode, message: string, about: string): SyntaxMessages => {
  const words =
    (code === 'MISSING_CHAR' || message.includes('end with a')
      ? missing.find(([pattern]) => pattern.test(message))?.[1]
      : undefined) ??
    messages[code] ??
    unexpected;
  return words === noColon && joined.test(about) ? noSpace : words;
};
