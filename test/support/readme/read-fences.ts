/** A fenced example of a Markdown text. */
export interface Fence {
  /** The first word of its info string; empty where there is none. */
  readonly language: string;
  /** The second: the file that it is. */
  readonly file?: string;
  readonly text: string;
  /** Line of the opening fence, from 1. */
  readonly line: number;
  /** Nothing but empty lines stand between it and the fence before. */
  readonly follows: boolean;
}

const fencePattern = /^```(\S*)[ \t]*(\S*)[^\n]*\n([\s\S]*?)^```[ \t]*$/gm;

/** The fences of a text, in its order. */
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
