import type { CheckInput, Verdict } from '../../../sdk/guardrail/guardrail.ts';
import type { AnswerReader } from '../client/answer-reader.ts';

/** The texts around the pages that are added to a prompt. */
export interface ContextMarks {
  readonly prefix: string;
  readonly suffix: string;
}

/** A search of the web for a prompt. */
export interface WebSearch {
  readonly marks: ContextMarks;
  readonly vendor: string;
  /** The most UTF-16 units of a query. */
  readonly maxAsked: number;
  /** The member of a found page that has its text. */
  readonly textMember: string;
  /** Gives the pages, each with a `title`, a `url` and the text. */
  search(query: string): Promise<readonly AnswerReader[]>;
}

/** The most UTF-16 units that are taken of the title, the address and the text of a page. */
export const maxOfPage = 1000;

const textIn = (page: AnswerReader, member: string): string =>
  page.has(member) ? page.text(member).slice(0, maxOfPage) : '';

/** A page may not end the context that it is in, nor begin another. */
const without = (text: string, marks: readonly string[]): string => {
  // What is left of a text may be a mark again.
  const left = marks.reduce((rest, mark) => (mark === '' ? rest : rest.replaceAll(mark, '')), text);
  return left === text ? text : without(left, marks);
};

/** Adds what a search finds to the last text of a prompt. It passes whatever is found. */
export const withWebContext = async (
  { spans }: CheckInput,
  { vendor, marks: { prefix, suffix }, maxAsked, textMember, search }: WebSearch,
): Promise<Verdict> => {
  const span = spans.findLastIndex(({ kind, text }) => kind === 'text' && text.trim() !== '');
  const asked = spans[span]?.text;
  if (asked === undefined) return { pass: true, data: { explanation: 'There is no text to search for.', results: 0 } };
  const pages = await search(asked.slice(0, maxAsked));
  const data = { explanation: `${vendor} found ${pages.length} pages.`, results: pages.length };
  if (pages.length === 0) return { pass: true, data };
  const toText = (page: AnswerReader): string =>
    [textIn(page, 'title'), page.text('url').slice(0, maxOfPage), textIn(page, textMember)]
      .filter((line) => line !== '')
      .join('\n');
  const context = pages.map((page) => without(toText(page), [prefix.trim(), suffix.trim()])).join('\n\n');
  const added = `\n${prefix}\n${context}${suffix}`;
  return { pass: true, data, replace: [{ span, from: asked.length, to: asked.length, with: added }] };
};
