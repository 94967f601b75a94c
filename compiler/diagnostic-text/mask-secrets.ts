import { credentialFields } from '../../schema/config/provider-fields.ts';
import { credentialForm, credentialsIn } from '../../schema/credentials/credential-form.ts';
import type { Json } from '../../schema/json/json.ts';
import { spelling } from '../diagnostics/spelling.ts';
import { readBrokenTree } from '../parse/read-broken.ts';
import { fileFormat, readTree } from '../parse/read-tree.ts';
import type { Piece, SyntaxMember, SyntaxNode } from '../parse/syntax-tree.ts';

/** The members of a config or a gateway file whose values are never shown, normalised by `spelling`. */
const secretNames: ReadonlySet<string> = new Set([...credentialFields, 'credential', 'credentials'].map(spelling));

/** The endings of names of secrets in any spelling, because a key that is not allowed may be a misspelt one. */
const secretEnding = /(?:key|token|secret|password|passphrase|authorization|bearer|credentials?)$/;

/** Lists of secrets, and objects that are written as if they were such a list. */
const secretLists: ReadonlySet<string> = new Set(['keys', 'auth', 'apikeys']);

/** The members of such objects that are not secrets. A member with another name may be a misspelt secret. */
const besideSecrets: ReadonlySet<string> = new Set(['id', 'tenant', 'priority']);

/** How much of a value is shown: everything, nothing, or only the contents of objects inside it. */
type Shown = 'all' | 'objects' | 'nothing';

const shownUnder = (word: string): Shown => {
  // The name of a saved credential is not a secret.
  if (word === 'virtualkey') return 'all';
  if (secretNames.has(word) || secretEnding.test(word)) return 'nothing';
  return secretLists.has(word) ? 'objects' : 'all';
};

/** References are not secrets, not even malformed ones; neither is the scheme before one. */
const reference = /^(?:bearer +)?\$\{(?:env|file):[^{}]*\}$/i;

/** Lists of a policy whose items have the name of a fact as their `key`. */
const namingLists: ReadonlySet<string> = new Set(['conditions', 'groupby']);

/** The name of a fact, which no provider's key looks like: `model`, `metadata.team_1`. */
const factName = /^(?:[A-Za-z_. -]{1,24}|metadata\.[\w.-]{1,40})$/;

const isFactName = ({ name, value }: SyntaxMember): boolean =>
  name === 'key' && value.kind === 'literal' && typeof value.value === 'string' && factName.test(value.value);

/** Returns a text without the quotes around it, if there are any. The closing quote may be missing. */
const insideQuotes = ({ offset, length }: Piece, text: string): Piece => {
  const quote = text.charAt(offset);
  if (quote !== '"' && quote !== "'") return { offset, length };
  const isClosed = length > 1 && text.charAt(offset + length - 1) === quote;
  return { offset: offset + 1, length: length - (isClosed ? 2 : 1) };
};

/** How the members of a name are shown, and the normalised name. */
interface NamedPlace {
  readonly shown: Shown;
  readonly word: string;
}

/** Returns how a member is shown, depending on the object around it. */
const shownIn = (around: Shown, { shown, word }: NamedPlace): Shown => {
  if (around === 'nothing') return 'nothing';
  return around === 'objects' && shown === 'all' && !besideSecrets.has(word) ? 'objects' : shown;
};

const isSecret = (value: Json, shown: Shown): boolean =>
  typeof value === 'string' && !reference.test(value) && (shown !== 'all' || credentialForm(value) !== undefined);

const secretPieces = (text: string, root: SyntaxNode): readonly Piece[] => {
  const pieces: Piece[] = [];
  // A large config uses few names, each many times.
  const places = new Map<string, NamedPlace>();
  const placeOf = (name: string): NamedPlace => {
    const known = places.get(name);
    if (known !== undefined) return known;
    const word = spelling(name);
    const place = { shown: shownUnder(word), word };
    places.set(name, place);
    return place;
  };
  const look = (placed: SyntaxNode, shown: Shown, under: string): void => {
    // The value of an alias is written at its anchor.
    const node = placed.anchored ?? placed;
    if (node.kind === 'array') for (const item of node.items) look(item, shown, under);
    else if (node.kind === 'object')
      for (const member of node.members) {
        const place = placeOf(member.name);
        const isNamed = namingLists.has(under) && isFactName(member);
        look(member.value, isNamed && shown !== 'nothing' ? 'all' : shownIn(shown, place), place.word);
      }
    else if (isSecret(node.value, shown)) pieces.push(insideQuotes(node, text));
  };
  look(root, 'all', '');
  return pieces;
};

/** The rest of a line, if it is only a reference. */
const referenceAlone = /^\s*["']?(?:bearer +)?\$\{(?:env|file):[^{}]*\}["']?\s*,?\s*$/i;

/** In a text that cannot be parsed, anything after the name of a secret may be the secret, quoted or not. */
const afterSecretName =
  /(?<!virtual_)(?:key|keys|key_id|token|secret|password|passphrase|authorization|auth|bearer|credentials?|account_json)(?:\\?["'`\u2018-\u201f]\s*[:=]?|\s*[:=])([^\r\n]*)/dgi;

/**
 * The name of a secret and the rest of its line, unless that is a reference. In YAML, the indented lines below may be the secret.
 */
const aboveSecret =
  /(?:key|keys|key_id|token|secret|password|passphrase|authorization|auth|bearer|credentials?|account_json)["']?[ \t]*:(?![ \t]*["']?(?:bearer +)?\$\{(?:env|file):[^{}\r\n]*\}["']?[ \t]*\r?$)([^\r\n]*)/i;

/** The content of a list or an object in brackets, up to the first closing bracket; its lines need no indentation. */
const inSecretBrackets =
  /(?:key|keys|key_id|token|secret|password|passphrase|authorization|auth|bearer|credentials?|account_json)["']?[ \t]*:[ \t]*[[{]([^\]}]*)/dgi;

/**
 * A YAML value that ends on its line: anything but a block, which begins with | or >, and a string whose quotes are still open.
 */
const wholeValue = /^[ \t]+(?:"[^"\\]*"|'[^']*'|[^\s|>"'&!#{[][^\r\n]*)[ \t]*\r?$/;

/** A line that begins with the name of a member, and what follows the name. */
const memberLine = /^([ \t]*(?:- +)?([A-Za-z_][A-Za-z_-]{0,40}):)([ \t].*|\r?)$/;

/** Credentials inside a URL. */
const userInfo = /:\/\/([^/\s"@]+)@/dg;

/** The rest of a URL after its path, because many services accept keys there. */
const urlQuery = /:\/\/[^\s"?#]*[?#]([^\s"]+)/dg;

const matchedPieces = (text: string, pattern: RegExp): readonly Piece[] =>
  [...text.matchAll(pattern)].flatMap(({ indices }) => {
    const [from, to] = indices?.[1] ?? indices?.[0] ?? [0, 0];
    return [{ offset: from, length: to - from }];
  });

/**
 * Returns how many characters of a line are shown, and whether any of the lines below it are, because a block or an open string
 * may continue there.
 */
const shownOf = (line: string): { readonly shown: number; readonly goesOn: boolean } => {
  const [, begin = '', name = '', value = ''] = memberLine.exec(line) ?? [];
  const goesOn = wholeValue.test(value) || (value.trim() === '' && shownUnder(spelling(name)) === 'all');
  return { shown: begin.length, goesOn: begin !== '' && goesOn };
};

/** Shows the names of members below a value that ends on its line, so that people see where the indentation is wrong. */
const piecesBelow = (text: string): readonly Piece[] => {
  const pieces: Piece[] = [];
  let offset = 0;
  /** Whether names are shown in the lines below the name of a secret; undefined elsewhere. */
  let isShown: boolean | undefined;
  for (const line of text.split('\n')) {
    if (isShown !== undefined && /^(?:[ \t]|\r?$)/.test(line)) {
      const { shown, goesOn } = shownOf(line);
      const kept = isShown ? shown : 0;
      pieces.push({ offset: offset + kept, length: line.length - kept });
      isShown &&= goesOn;
    } else {
      const value = aboveSecret.exec(line)?.[1];
      isShown = value === undefined ? undefined : wholeValue.test(value);
    }
    offset += line.length + 1;
  }
  return pieces;
};

const withDots = (text: string, pieces: readonly Piece[]): string => {
  let masked = '';
  let end = 0;
  for (const { offset, length } of pieces.toSorted((a, b) => a.offset - b.offset)) {
    const [from, to] = [Math.max(end, offset), Math.max(end, offset + length)];
    masked += text.slice(end, from) + text.slice(from, to).replace(/[^\r\n]/g, '•');
    end = to;
  }
  return masked + text.slice(end);
};

const brokenPieces = (text: string, isYaml: boolean): readonly Piece[] => {
  const root = readBrokenTree(text, isYaml ? 'yaml' : 'jsonc');
  return root === undefined ? [] : secretPieces(text, root);
};

/**
 * Returns the pieces of an unparsable text that may be secret: those in the part that can be parsed, and those after the names of
 * secrets.
 */
const unreadPieces = (text: string, isYaml: boolean): readonly Piece[] => [
  ...brokenPieces(text, isYaml),
  ...matchedPieces(text, afterSecretName).filter(
    ({ offset, length }) => !referenceAlone.test(text.slice(offset, offset + length)),
  ),
  ...(isYaml ? [...piecesBelow(text), ...matchedPieces(text, inSecretBrackets)] : []),
];

/** Returns the text of a file with each character of a secret replaced by a dot. */
export const maskSecrets = (text: string, file?: string): string => {
  const format = fileFormat(file);
  const reading = readTree(text, format === 'yaml' ? 'yaml' : 'jsonc');
  const inside = reading.ok ? secretPieces(text, reading.root) : unreadPieces(text, format === 'yaml');
  const anywhere = [userInfo, urlQuery, credentialsIn].flatMap((pattern) => matchedPieces(text, pattern));
  return withDots(text, [...inside, ...anywhere]);
};
