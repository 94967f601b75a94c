import { maxLevels, partialReference } from './template.ts';

/** A tag of a template, from its first brace at `start` to after its last brace at `end`. */
export interface Tag {
  readonly kind: 'value' | 'section' | 'inverted' | 'close' | 'partial' | 'comment';
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** An error of a tag, and what to do. */
interface PlacedError {
  readonly message: string;
  readonly hint: string;
}

/** An error with its place in the text. */
export interface ErrorAt extends PlacedError {
  readonly offset: number;
}

const kinds = 'The tags are {{name}}, {{#name}}, {{^name}}, {{/name}}, {{>partial}} and {{! comment }}.';
const literal = 'To have two braces in the text, give them as the value of a variable.';

const helperHint = (name: string): string => {
  const [, helper = '', value = ''] = /^(if|unless|each|with)\s+(\S+)$/.exec(name) ?? [];
  if (helper === '') return `Write one name, such as {{user.name}}. ${literal}`;
  const mark = helper === 'unless' ? '^' : '#';
  return `Write {{${mark}${value}}}…{{/${value}}}: a section needs no word before its name.`;
};

const variableError = (name: string): PlacedError | undefined => {
  if (name === '.') return undefined;
  if (name === '') return { message: 'The tag has no name.', hint: `Write a name between the braces. ${literal}` };
  if (/^[#^/>&!=<$%*@~?|:+]/.test(name))
    return { message: `There is no kind of tag that begins with "${[...name][0]}".`, hint: kinds };
  if (/\s/.test(name)) return { message: 'The name of a tag has no white space.', hint: helperHint(name) };
  if (/[{}"'`]/.test(name)) return { message: 'The name of a tag has no braces or quotes.', hint: literal };
  if (name.split('.').includes(''))
    return {
      message: 'A part of the dotted name is empty.',
      hint: 'Write a name between all dots, as in {{user.name}}.',
    };
  return undefined;
};

const partialError = (name: string): PlacedError | undefined =>
  partialReference(name) === undefined
    ? {
        message: 'The tag names no partial.',
        hint: 'Write {{>slug}}, {{>slug@5}} or {{>slug@latest}}; a slug has letters, digits, "_" and "-".',
      }
    : undefined;

/** Returns the error in the name of a tag; undefined if it has none. */
const nameError = ({ kind, name }: Pick<Tag, 'kind' | 'name'>): PlacedError | undefined => {
  if (kind === 'comment') return undefined;
  return kind === 'partial' ? partialError(name) : variableError(name);
};

/** The maximum number of errors that are reported. Finding more is not worth the time. */
export const maxErrors = 20;

const tagKinds: Readonly<Record<string, Tag['kind']>> = {
  '#': 'section',
  '^': 'inverted',
  '/': 'close',
  '>': 'partial',
  '!': 'comment',
};

const unclosed: PlacedError = {
  message: 'The tag that begins here is not closed.',
  hint: 'Close it with "}}". To have two braces in the text, give them as the value of a variable.',
};
const unclosedTriple: PlacedError = {
  message: 'The tag begins with three braces and ends with two.',
  hint: 'Write two on both sides: the values of prompts are not escaped for HTML.',
};
const delimiters: PlacedError = {
  message: 'The delimiters cannot be changed.',
  hint: 'Remove the tag, and write tags as {{name}}.',
};

/** Creates a tag from the text after its mark. A private partial, `{{>>name}}`, is the value of a variable. */
const toTag = (mark: string, content: string, start: number, end: number): Tag => {
  const kind = tagKinds[mark] ?? 'value';
  const name = content.trim();
  return kind === 'partial' && name.startsWith('>')
    ? { kind: 'value', name: name.slice(1).trim(), start, end }
    : { kind, name, start, end };
};

/**
 * Reads the tag whose braces open at `start` and close at `close`. If it is not valid, returns the error and where to continue.
 */
const readTag = (text: string, start: number, close: number): { tag: Tag } | { error: PlacedError; resume: number } => {
  const inner = text.slice(start + 2, close).trimStart();
  const mark = /^[#^/>!&{=]/.test(inner) ? inner.charAt(0) : '';
  const content = inner.slice(mark.length);
  const end = close + (mark === '{' ? 3 : 2);
  if (mark === '=') return { error: delimiters, resume: end };
  const reopened = mark === '!' ? -1 : content.lastIndexOf('{{');
  if (reopened !== -1) return { error: unclosed, resume: close - content.length + reopened };
  if (mark === '{' && text[close + 2] !== '}') return { error: unclosedTriple, resume: close + 2 };
  const tag = toTag(mark, content, start, end);
  const reason = nameError(tag);
  return reason === undefined ? { tag } : { error: reason, resume: end };
};

const neverClosed = ({ name, start }: Tag): ErrorAt => ({
  offset: start,
  message: `The section "${name}" is not closed.`,
  hint: `Write {{/${name}}} where it ends; sections may not overlap.`,
});
const neverOpened = ({ name, start }: Tag): ErrorAt => ({
  offset: start,
  message: `There is no open section "${name}" to close here.`,
  hint: `Write {{#${name}}} where it begins, or remove {{/${name}}}.`,
});
const tooDeep = ({ start }: Tag): ErrorAt => ({
  offset: start,
  message: `The section is nested deeper than ${maxLevels} levels.`,
  hint: 'Use dotted names, or move a part of the template into a partial.',
});

/** Finds errors in how sections open and close. */
const sectionErrors = (tags: readonly Tag[]): readonly ErrorAt[] => {
  const reasons: ErrorAt[] = [];
  const open: Tag[] = [];
  for (const tag of tags) {
    if (reasons.length >= maxErrors) return reasons;
    if (tag.kind === 'section' || tag.kind === 'inverted') {
      if (open.push(tag) === maxLevels + 1) reasons.push(tooDeep(tag));
    } else if (tag.kind === 'close') {
      const from = open.findLastIndex(({ name }) => name === tag.name);
      if (from === -1) reasons.push(neverOpened(tag));
      else
        reasons.push(
          ...open
            .splice(from)
            .slice(1, 1 + maxErrors)
            .map(neverClosed),
        );
    }
  }
  return [...reasons, ...open.slice(0, maxErrors).map(neverClosed)];
};

/** Finds the tags of a text in order, and the errors of them and of their sections, in linear time. */
export const scanTags = (text: string): { readonly tags: readonly Tag[]; readonly errors: readonly ErrorAt[] } => {
  const tags: Tag[] = [];
  const reasons: ErrorAt[] = [];
  let start = text.indexOf('{{');
  while (start !== -1 && reasons.length < maxErrors) {
    const close = text.indexOf('}}', start + 2);
    if (close === -1) {
      reasons.push({ ...unclosed, offset: start });
      break;
    }
    const read = readTag(text, start, close);
    if ('tag' in read) tags.push(read.tag);
    else reasons.push({ ...read.error, offset: start });
    start = text.indexOf('{{', 'tag' in read ? read.tag.end : read.resume);
  }
  return { tags, errors: reasons.length > 0 ? reasons : sectionErrors(tags) };
};
