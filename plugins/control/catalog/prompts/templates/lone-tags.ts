import type { Tag } from './tag.ts';

const isBlank = (text: string): boolean => text.trim() === '';

/** Whether tags are all that is on a line, so that the line is not rendered. A partial is only alone without other tags. */
const areAlone = (tags: readonly Tag[]): boolean =>
  tags.every(({ kind }) => kind !== 'value' && (kind !== 'partial' || tags.length === 1));

/** The tags on whose line nothing is rendered but what they stand for. Line ends inside tags do not count. */
export const loneTags = (text: string, tags: readonly Tag[]): ReadonlySet<Tag> => {
  const lone = new Set<Tag>();
  let line: Tag[] = [];
  let blank = true;
  const endLine = (): void => {
    if (blank && areAlone(line)) for (const tag of line) lone.add(tag);
    line = [];
    blank = true;
  };
  let from = 0;
  for (const tag of tags) {
    const between = text.slice(from, tag.start);
    const lineEnd = between.indexOf('\n');
    if (lineEnd !== -1) {
      blank &&= isBlank(between.slice(0, lineEnd));
      endLine();
    }
    blank &&= isBlank(between.slice(between.lastIndexOf('\n') + 1));
    line.push(tag);
    from = tag.end;
  }
  const lineEnd = text.indexOf('\n', from);
  blank &&= isBlank(text.slice(from, lineEnd === -1 ? text.length : lineEnd));
  endLine();
  return lone;
};
