import type { CheckInput, Verdict } from '../../../sdk/guardrail/guardrail.ts';
import type { AnswerReader } from '../client/answer-reader.ts';

/** The texts before and after the pages that are added to a prompt. */
export interface ContextMarks {
  readonly prefix: string;
  readonly suffix: string;
}

/** A search of the web for a prompt. */
export interface WebSearch {
  readonly marks: ContextMarks;
  readonly vendor: string;
  /** The maximum length of a query in UTF-16 units. */
  readonly maxAsked: number;
  /** The member of a found page that contains its text. */
  readonly textMember: string;
  /** Returns the pages, each with a `title`, a `url` and the text. */
  search(query: string): Promise<readonly AnswerReader[]>;
}

/** The maximum number of UTF-16 units that are used of the title, the URL and the text of a page. */
export const maxOfPage = 1000;

const textIn = (page: AnswerReader, member: string): string =>
  page.has(member) ? page.text(member).slice(0, maxOfPage) : '';

/** Removes the marks from a page, which must neither end the context that it is in nor start another. */
const without = (text: string, marks: readonly string[]): string => {
  // After the removal, the remaining text may form a mark again.
  const left = marks.reduce((rest, mark) => (mark === '' ? rest : rest.replaceAll(mark, '')), text);
  return left === text ? text : without(left, marks);
};

/** Adds the results of a search to the last text of a prompt. Always passes. */
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
