import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/build/package-modules.ts';

const pages = globSync(['README.md', 'docs/{start,recipes,how-it-works}/*.md'], { cwd: root }).sort();

const waitPattern = /<!-- retried:(?<why>[^>]*?)-->/g;

const secondsPattern = /\b(?:a|two) seconds?\b/i;

/** Returns the words of a page after its last block. */
const wordsBehindBlock = (markdown: string): string => markdown.slice(markdown.lastIndexOf('```') + 3);

/**
 * Returns the blocks that tests repeat for a second or two, if the page does not ask the reader to wait. Pasted immediately,
 * they print something else.
 */
const unsaidWaits = (markdown: string): readonly string[] =>
  [...markdown.matchAll(waitPattern)]
    .filter(({ index, groups }) => {
      const takesSeconds = secondsPattern.test(groups?.why ?? '');
      return takesSeconds && !secondsPattern.test(wordsBehindBlock(markdown.slice(0, index)));
    })
    .map(({ groups }) => (groups?.why ?? '').trim());

describe('a block whose output appears a second later', () => {
  const comment = '<!-- retried: records are written within a second -->\n\n';

  it('is reported if the page does not say so', () => {
    expect(unsaidWaits(`One.\n\n${comment}`)).toEqual(['records are written within a second']);
    expect(unsaidWaits(`A second later:\n\n\`\`\`sh\na\n\`\`\`\n\nTwo.\n\n${comment}`)).toHaveLength(1);
    expect(unsaidWaits(`\`\`\`sh\na\n\`\`\`\n\nA second later:\n\n${comment}`)).toEqual([]);
    expect(unsaidWaits('One.\n\n<!-- retried: the machine may be busy -->\n')).toEqual([]);
  });

  it.each(pages)('%s mentions the delay', (file) => {
    expect(
      unsaidWaits(readFileSync(path.join(root, file), 'utf8')),
      'Say when it is there: "A second later:".',
    ).toEqual([]);
  });
});
