/** A fenced example in a Markdown text. */
export interface Fence {
  /** The first word of its info string. Empty if there is none. */
  readonly language: string;
  /** The second word: the name of the file that it shows. */
  readonly file?: string;
  readonly text: string;
  /** The line of the opening fence, from 1. */
  readonly line: number;
  /** Whether only empty lines separate it from the previous fence. */
  readonly follows: boolean;
}

const fencePattern = /^```(\S*)[ \t]*(\S*)[^\n]*\n([\s\S]*?)^```[ \t]*$/gm;

/** Returns the fences of a text in order. */
export const readFences = (markdown: string): readonly Fence[] => {
  let end = 0;
  return [...markdown.matchAll(fencePattern)].map((match) => {
    const [all, language = '', file = '', text = ''] = match;
    const follows = end > 0 && markdown.slice(end, match.index).trim() === '';
    end = match.index + all.length;
    const line = markdown.slice(0, match.index).split('\n').length;
    return { language, text, line, follows, ...(file === '' ? {} : { file }) };
  });
};
