import { nameFault } from './name-fault.ts';
import type { Fault, FaultAt, Tag } from './tag.ts';

export interface Scanned {
  readonly tags: readonly Tag[];
  readonly faults: readonly FaultAt[];
}

/** The most faults that are told; the time to find more is not worth it. */
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

/** What follows the mark of a tag, as a tag. A private partial, `{{>>name}}`, is the value of a variable. */
const toTag = (mark: string, content: string, start: number, end: number): Tag => {
  const kind = tagKinds[mark] ?? 'value';
  const name = content.trim();
  return kind === 'partial' && name.startsWith('>')
    ? { kind: 'value', name: name.slice(1).trim(), start, end }
    : { kind, name, start, end };
};

/** The tag whose braces open at `start` and close at `close`; or what is wrong, and where to go on. */
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

/** The tags of a text in order, and what is wrong with those that are none; in linear time. */
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
  return { tags, faults };
};
