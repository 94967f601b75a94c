import type { Diagnostic } from '../../schema/errors/diagnostic.ts';
import { editDistance, isNearName } from '../../schema/text/closest-name.ts';
import { applyEdits } from '../fix/apply-edits.ts';
import { type FixedText, isFixed } from '../fix/is-fixed.ts';
import { fileFormat } from '../parse/read-tree.ts';
import { complete } from './complete.ts';
import { EditorDocument, type Piece } from './editor-document.ts';
import type { EditorProject } from './known-names.ts';
import { applyChanges, type TextChange, textChange } from './text-change.ts';

/** A change that an editor offers to correct what is wrong at a cursor. */
export interface QuickFix {
  readonly title: string;
  /** Whether the change keeps the meaning of the config. If not, it is a guess. */
  readonly isSafe: boolean;
  readonly diagnostic: Diagnostic;
  readonly change: TextChange;
}

/** A text that was compiled. */
export interface CompiledText extends FixedText {
  readonly text: string;
  /** The name of the file, which determines its format. */
  readonly file: string;
}

export interface QuickFixOptions {
  readonly project: EditorProject;
  /** Compiles another text of the same file. */
  readonly compile: (text: string) => FixedText | Promise<FixedText>;
}

/** If one place has more findings, nobody reads their fixes. */
const maxFindings = 10;
/** How many names are offered besides the most similar one. */
const maxChoices = 4;
/** How many names are compared with the written text, and how many characters of each. */
const maxCompared = 500;
const longestName = 64;

/** Whether a finding is about a name that is not valid at its place. */
const hasChoices = ({ code }: Diagnostic): boolean => code.startsWith('unknown-') || code === 'not-in-list';

const touches = (a: Piece, b: Piece): boolean => a.offset <= b.offset + b.length && b.offset <= a.offset + a.length;

const quoted = (text: string): string => (text.length > longestName ? `${text.slice(0, longestName)}…` : text);

/** Describes a fix in the words of a button. */
const titleOf = ({ fix }: Diagnostic): string => {
  const [edit] = fix?.edits ?? [];
  switch (edit?.kind) {
    case 'rename':
      return `Change to "${quoted(edit.name)}"`;
    case 'set':
      return `Change to ${quoted(JSON.stringify(edit.value))}`;
    case 'add':
      return `Write ${quoted(JSON.stringify(edit.at.slice(edit.at.lastIndexOf('/') + 1)))}: ${quoted(JSON.stringify(edit.value))}`;
    case 'straighten-quotes':
      return 'Write it in double quotes';
    default:
      return 'Remove it';
  }
};

interface Candidate extends Omit<QuickFix, 'change'> {
  readonly text: string;
}

const ownFix = (found: CompiledText, diagnostic: Diagnostic): readonly Candidate[] => {
  const { fix } = diagnostic;
  const text = fix && applyEdits(found.text, found.file, fix.edits);
  if (fix === undefined || text === undefined || text === found.text) return [];
  return [{ title: titleOf(diagnostic), isSafe: fix.kind === 'safe', diagnostic, text }];
};

/** Lists the names that are valid at the place of a finding and similar to the written one, the most similar first. */
const choices = (found: CompiledText, diagnostic: Diagnostic, project: EditorProject): readonly Candidate[] => {
  if (!hasChoices(diagnostic)) return [];
  const document = new EditorDocument(found.text, fileFormat(found.file));
  const { offset, length } = diagnostic.span;
  const written = found.text.slice(offset, offset + length).replace(/^["']|["']$/g, '');
  const near = (name: string): number =>
    editDistance(written.slice(0, longestName).toLowerCase(), name.slice(0, longestName).toLowerCase());
  return complete(document, offset + Math.min(1, length), project)
    .slice(0, maxCompared)
    .filter(({ label }) => isNearName(written, label))
    .map((each) => ({ ...each, distance: near(each.label) }))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, maxChoices + 1)
    .map(({ label, text, piece }) => ({
      ...{ title: `Change to "${quoted(label)}"`, isSafe: false, diagnostic },
      text: applyChanges(found.text, [{ piece, text }]),
    }));
};

/**
 * Lists the changes that correct what is wrong in a range of a text: the edits of `gw check --fix`, and for an unknown name the
 * names that are similar to it. Each change was compiled, and only those that do correct the finding are listed, safe ones first.
 */
export const quickFixes = async (
  found: CompiledText,
  range: Piece,
  { project, compile }: QuickFixOptions,
): Promise<readonly QuickFix[]> => {
  const findings = found.diagnostics.filter(({ span }) => touches(span, range)).slice(0, maxFindings);
  const fixes: QuickFix[] = [];
  for (const diagnostic of findings) {
    const texts = new Set<string>();
    for (const { text, ...fix } of [...ownFix(found, diagnostic), ...choices(found, diagnostic, project)]) {
      if (texts.has(text)) continue;
      texts.add(text);
      const after = await compile(text);
      if (isFixed({ before: found, after }, diagnostic, fix.isSafe ? 'safe' : 'guess'))
        fixes.push({ ...fix, change: textChange(found.text, text) });
    }
  }
  return fixes.toSorted((a, b) => Number(b.isSafe) - Number(a.isSafe));
};
