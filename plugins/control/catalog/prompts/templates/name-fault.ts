import { partialReference } from './partial-reference.ts';
import type { Fault, Tag } from './tag.ts';

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

/** What is wrong with the name of a tag; undefined if nothing is. */
export const nameFault = ({ kind, name }: Pick<Tag, 'kind' | 'name'>): Fault | undefined => {
  if (kind === 'comment') return undefined;
  return kind === 'partial' ? partialFault(name) : variableFault(name);
};
