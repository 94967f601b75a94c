import { type Fence, readFences } from '../../support/readme/read-fences.ts';

/** How a block of a recipe is run: by the tests, by `npm run recipes` alone, or not at all. */
export type BlockRun = 'tested' | 'by command' | 'not run';

/** A fenced block of a recipe, with the settings in the comments before it. */
export interface RecipeBlock extends Fence {
  readonly run: BlockRun;
  /** Why the tests do not run it. Empty if they do. */
  readonly reason: string;
  /** Whether its commands are repeated until they print the output that is shown. */
  readonly retried: boolean;
  /** What the fake providers do from here on, such as `openai: 429, 429`. */
  readonly upstream: readonly string[];
}

const commentPattern = /<!-- (not run|run by command|retried|upstream):? ([^\n]*?) -->/g;

/** Returns the blocks of a recipe, in order. The comments of a command block also apply to its output. */
export const recipeBlocks = (markdown: string): readonly RecipeBlock[] => {
  const lines = markdown.split('\n');
  const blocks: RecipeBlock[] = [];
  let from = 0;
  for (const fence of readFences(markdown)) {
    const before = lines.slice(from, fence.line - 1).join('\n');
    from = fence.line + fence.text.split('\n').length;
    const comments = [...before.matchAll(commentPattern)];
    const marked = comments.find(([, kind]) => kind === 'not run' || kind === 'run by command');
    const earlier = fence.language === 'text' && fence.follows ? blocks.at(-1) : undefined;
    const kind = marked?.[1] === 'run by command' ? 'by command' : 'not run';
    blocks.push({
      ...fence,
      run: marked === undefined ? (earlier?.run ?? 'tested') : kind,
      reason: marked?.[2] ?? earlier?.reason ?? '',
      retried: comments.some(([, name]) => name === 'retried'),
      upstream: comments.flatMap(([, name, what = '']) => (name === 'upstream' ? [what] : [])),
    });
  }
  return blocks;
};
