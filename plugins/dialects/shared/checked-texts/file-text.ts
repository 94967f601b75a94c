import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Member } from '../../../sdk/dialect/members.ts';
import { isTextType, readFile, readLoosely } from '../../../sdk/texts/written-text.ts';
import { custom } from './members.ts';
import { span } from './text-spans.ts';

/**
 * Describes the data of a file: a `data:` URL or base64, as the formats document, or the text itself. A text is judged in
 * whatever encoding it is, but an unknown encoding makes it unreadable. Other files are media, unless the objects that contain
 * the data, or its URL, declare it to be a text: then it is also judged as lenient readers and translations take it, whatever its
 * bytes are.
 */
export const toFileText = (findType: (within: readonly JsonObject[]) => string | undefined): Member =>
  custom(
    (value, place, within) => {
      if (typeof value !== 'string') return undefined;
      const file = readFile(value);
      const spans = file.is === 'binary' ? [] : span(file.text, place);
      const loose = readLoosely(value);
      const type = findType(within) ?? loose.mimeType;
      if (type !== undefined && (isTextType(type) || /^text\b/i.test(type)))
        return file.is !== 'binary' && file.text === loose.text ? spans : [...spans, ...span(loose.text, place)];
      if (file.is !== 'binary') return spans;
      return file.isText ? undefined : 'media';
    },
    (words) => `data:text/plain;base64,${Buffer.from(words).toString('base64')}`,
  );

/** A file whose type is stated only in its data. */
export const fileText: Member = toFileText(() => undefined);
