import type { Tag } from './tag.ts';

const marks: Readonly<Record<Tag['kind'], string>> = {
  value: '',
  section: '#',
  inverted: '^',
  close: '/',
  partial: '>',
  comment: '!',
};

const canonicalTag = ({ kind, name, start, end }: Tag, isAlone: boolean): string => {
  const room = end - start - 4;
  if (kind === 'comment') return `{{${'!'.padEnd(room, '.')}}}`;
  const mark = kind === 'partial' && !isAlone ? '' : marks[kind];
  return `{{${`${mark}${name}`.padEnd(room)}}}`;
};

/**
 * A text with the same tags at the same offsets that mustache's parser reads in linear time: no tag has white space inside,
 * and comments have no content. To mustache a partial that is not alone on its line is a value, so that the white space
 * around it stays.
 */
export const canonicalText = (text: string, tags: readonly Tag[], lone: ReadonlySet<Tag>): string => {
  const pieces: string[] = [];
  let from = 0;
  for (const tag of tags) {
    pieces.push(text.slice(from, tag.start), canonicalTag(tag, lone.has(tag)));
    from = tag.end;
  }
  return `${pieces.join('')}${text.slice(from)}`;
};
