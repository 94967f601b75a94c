import type { Member } from '../../sdk/members.ts';
import { readFile } from '../../sdk/texts/written-text.ts';
import { custom } from './members.ts';
import { span } from './text-spans.ts';

/**
 * The data of a file: a `data:` URL or base64, as the formats document, or the text itself. It is judged if it is a text,
 * in whatever encoding; a text in an encoding that is not known cannot be read. Other files are media.
 */
export const fileText: Member = custom(
  (value, place) => {
    if (typeof value !== 'string') return undefined;
    const file = readFile(value);
    if (file.is === 'binary') return file.isText ? undefined : 'media';
    return span(file.text, place);
  },
  (words) => `data:text/plain;base64,${Buffer.from(words).toString('base64')}`,
);
