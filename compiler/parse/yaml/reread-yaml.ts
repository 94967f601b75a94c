import { type Edit, editBetween } from '../edit-between.ts';
import { maxNesting } from '../syntax-messages.ts';
import type { SyntaxNode } from '../syntax-tree.ts';
import { type ChangedBlock, changedBlocks } from './changed-blocks.ts';
import { readBlock } from './read-block.ts';
import { replaceBlock } from './replace-block.ts';
import { type BuiltTree, maxValues } from './to-tree.ts';

/** A text that was read. */
interface ReadText {
  readonly text: string;
  readonly root: SyntaxNode;
  /** At least as many values as the text has. */
  readonly values: number;
}

/** How many texts are remembered: those of the files that somebody is editing. */
const maxTexts = 4;
/** Shorter texts are read quickly. Of longer texts, only a few are remembered. */
const minCharacters = 1000;
const maxCharacters = 500_000;
/** The maximum number of characters of a change; beyond it, the text counts as a different one. */
const maxChange = 2000;

/** The newest first. */
const recent: ReadText[] = [];

const remember = (read: ReadText, replaced: ReadText | undefined): void => {
  if (replaced !== undefined) recent.splice(recent.indexOf(replaced), 1);
  recent.unshift(read);
  recent.length = Math.min(recent.length, maxTexts);
};

/** Remembers a text that was read, for later texts that are similar. */
export const rememberReading = (text: string, { node, values, hasMerges }: BuiltTree): void => {
  // Merged members change with other parts of the text, and a byte order mark is in the first column.
  if (hasMerges || text.length < minCharacters || text.length > maxCharacters || text.startsWith('\uFEFF')) return;
  remember({ text, root: node, values }, undefined);
};

/** Reads the lines of one block again, and reuses everything else from the previous reading. */
const rereadBlock = (before: ReadText, text: string, block: ChangedBlock): ReadText | undefined => {
  const by = text.length - before.text.length;
  const lines = text.slice(block.from, block.end + by);
  const { column, isTail, item, above } = block;
  // With comments at the tail, it is unknown which collection they end.
  if (isTail && (lines.includes('#') || before.text.slice(block.from).includes('#'))) return undefined;
  const built = readBlock(lines, { kind: item.node.kind, column, isTail });
  if (built === undefined || above.length + built.levels >= maxNesting) return undefined;
  const values = before.values + built.values;
  const root = values > maxValues ? undefined : replaceBlock(block, built.node, by);
  return root && { text, root, values };
};

const rereadFrom = (before: ReadText, text: string, edit: Edit): ReadText | undefined => {
  for (const block of changedBlocks(before.text, before.root, edit)) {
    // Reading most of the text again, and then perhaps all of it, would take longer.
    if (block.end - block.from > before.text.length / 4) return undefined;
    const read = rereadBlock(before, text, block);
    if (read !== undefined) return read;
  }
  return undefined;
};

/**
 * Returns the tree of a text that is similar to one that was read before, by reading only one block again; undefined if the text
 * has to be read as a whole. The tree is the same as after a full read.
 */
export const rereadYaml = (text: string): SyntaxNode | undefined => {
  for (const before of recent) {
    if (before.text === text) return before.root;
    const edit = editBetween(before.text, text);
    if (edit.before - edit.from > maxChange || edit.after - edit.from > maxChange) continue;
    const read = rereadFrom(before, text, edit);
    if (read === undefined) continue;
    remember(read, before);
    return read.root;
  }
  return undefined;
};
