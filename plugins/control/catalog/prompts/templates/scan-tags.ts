import { maxLevels, partialReference } from './template.ts';

/** A tag of a template, from its first brace at `start` to behind its last brace at `end`. */
export interface Tag {
  readonly kind: 'value' | 'section' | 'inverted' | 'close' | 'partial' | 'comment';
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** A fault of a tag, and what to do. */
interface Fault {
  readonly message: string;
  readonly hint: string;
}

/** A fault with its place in the text. */
export interface FaultAt extends Fault {
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

const variableFault = (name: string): Fault | undefined => {
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

const partialFault = (name: string): Fault | undefined =>
  partialReference(name) === undefined
    ? {
        message: 'The tag names no partial.',
        hint: 'Write {{>slug}}, {{>slug@5}} or {{>slug@latest}}; a slug has letters, digits, "_" and "-".',
      }
    : undefined;

/** Finds the fault of the name of a tag; undefined if it has none. */
const nameFault = ({ kind, name }: Pick<Tag, 'kind' | 'name'>): Fault | undefined => {
  if (kind === 'comment') return undefined;
  return kind === 'partial' ? partialFault(name) : variableFault(name);
};

interface Scanned {
  readonly tags: readonly Tag[];
  readonly faults: readonly FaultAt[];
}

/** The most faults that are reported; the time to find more is not worth it. */
export const maxFaults = 20;

const tagKinds: Readonly<Record<string, Tag['kind']>> = {
  '#': 'section',
  '^': 'inverted',
  '/': 'close',
  '>': 'partial',
  '!': 'comment',
};

const unclosed: Fault = {
  message: 'The tag that begins here is not closed.',
  hint: 'Close it with "}}". To have two braces in the text, give them as the value of a variable.',
};
const unclosedTriple: Fault = {
  message: 'The tag begins with three braces and ends with two.',
  hint: 'Write two on both sides: the values of prompts are not escaped for HTML.',
};
const delimiters: Fault = {
  message: 'The delimiters cannot be changed.',
  hint: 'Remove the tag, and write tags as {{name}}.',
};

/** Makes a tag of what follows its mark. A private partial, `{{>>name}}`, is the value of a variable. */
const toTag = (mark: string, content: string, start: number, end: number): Tag => {
  const kind = tagKinds[mark] ?? 'value';
  const name = content.trim();
  return kind === 'partial' && name.startsWith('>')
    ? { kind: 'value', name: name.slice(1).trim(), start, end }
    : { kind, name, start, end };
};

/** Reads the tag whose braces open at `start` and close at `close`; or what is wrong, and where to go on. */
const readTag = (text: string, start: number, close: number): { tag: Tag } | { fault: Fault; resume: number } => {
  const inner = text.slice(start + 2, close).trimStart();
  const mark = /^[#^/>!&{=]/.test(inner) ? inner.charAt(0) : '';
  const content = inner.slice(mark.length);
  const end = close + (mark === '{' ? 3 : 2);
  if (mark === '=') return { fault: delimiters, resume: end };
  const reopened = mark === '!' ? -1 : content.lastIndexOf('{{');
  if (reopened !== -1) return { fault: unclosed, resume: close - content.length + reopened };
  if (mark === '{' && text[close + 2] !== '}') return { fault: unclosedTriple, resume: close + 2 };
  const tag = toTag(mark, content, start, end);
  const fault = nameFault(tag);
  return fault === undefined ? { tag } : { fault, resume: end };
};

const neverClosed = ({ name, start }: Tag): FaultAt => ({
  offset: start,
  message: `The section "${name}" is not closed.`,
  hint: `Write {{/${name}}} where it ends; sections may not overlap.`,
});
const neverOpened = ({ name, start }: Tag): FaultAt => ({
  offset: start,
  message: `There is no open section "${name}" to close here.`,
  hint: `Write {{#${name}}} where it begins, or remove {{/${name}}}.`,
});
const tooDeep = ({ start }: Tag): FaultAt => ({
  offset: start,
  message: `The section is nested deeper than ${maxLevels} levels.`,
  hint: 'Use dotted names, or move a part of the template into a partial.',
});

/** Finds what is wrong with how sections open and close. */
const sectionFaults = (tags: readonly Tag[]): readonly FaultAt[] => {
  const faults: FaultAt[] = [];
  const open: Tag[] = [];
  for (const tag of tags) {
    if (faults.length >= maxFaults) return faults;
    if (tag.kind === 'section' || tag.kind === 'inverted') {
      if (open.push(tag) === maxLevels + 1) faults.push(tooDeep(tag));
    } else if (tag.kind === 'close') {
      const from = open.findLastIndex(({ name }) => name === tag.name);
      if (from === -1) faults.push(neverOpened(tag));
      else
        faults.push(
          ...open
            .splice(from)
            .slice(1, 1 + maxFaults)
            .map(neverClosed),
        );
    }
  }
  return [...faults, ...open.slice(0, maxFaults).map(neverClosed)];
};

/** Finds the tags of a text in order, and what is wrong with them and with their sections; in linear time. */
export const scanTags = (text: string): Scanned => {
  const tags: Tag[] = [];
  const faults: FaultAt[] = [];
  let start = text.indexOf('{{');
  while (start !== -1 && faults.length < maxFaults) {
    const close = text.indexOf('}}', start + 2);
    if (close === -1) {
      faults.push({ ...unclosed, offset: start });
      break;
    }
    const read = readTag(text, start, close);
    if ('tag' in read) tags.push(read.tag);
    else faults.push({ ...read.fault, offset: start });
    start = text.indexOf('{{', 'tag' in read ? read.tag.end : read.resume);
  }
  return { tags, faults: faults.length > 0 ? faults : sectionFaults(tags) };
};
