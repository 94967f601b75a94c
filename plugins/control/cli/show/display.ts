import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import type { Display } from '../../kernel/resource/api-command.ts';
import { toProblems } from '../client/api-problem.ts';
import { cellText } from './cell.ts';
import { jsonOutput } from './json-output.ts';
import { readRecord, type Shown, type ShowOptions, showRecord, showTable } from './show.ts';
import { showSums } from './show-sums.ts';

/** How an answer is shown that is read as a whole. */
export type WholeDisplay = Exclude<Display, { readonly as: 'completion' | 'lines' }>;

/** What an answer has, before what was given in the place of the braces of the path. */
const sentence = (template: string, answer: Json, names: ShowOptions['names']): string => {
  const record = { ...names, ...readRecord(answer) };
  return template.replaceAll(/\{(\w+)\}/g, (_, member: string) => cellText(record[member]));
};

/** What was saved, or what a dry run found; what is wrong is told in both cases. */
const showSaid = (text: string, answer: Json, options: ShowOptions): Shown => {
  const { diagnostics, bounds } = isJsonObject(answer) ? answer : {};
  const problems = toProblems(diagnostics);
  if (bounds !== undefined) return { ...showRecord()(bounds, options), problems, note: 'Nothing was saved.' };
  return { out: `${sentence(text, answer, options.names)}\n`, problems };
};

/** The text for people of an answer. */
export const display = (how: WholeDisplay, answer: Json, options: ShowOptions): Shown => {
  switch (how.as) {
    case 'table': {
      const shown = showTable(how.columns, how.rows)(answer, options);
      return how.note === undefined ? shown : { ...shown, note: sentence(how.note, answer, options.names) };
    }
    case 'sums':
      return showSums(how.columns, answer, options);
    case 'record':
      return showRecord(how.text)(answer, options);
    case 'said':
      return showSaid(how.text, answer, options);
    case 'member':
      return {
        out: `${cellText(readRecord(answer)[how.member])}\n`,
        note: sentence(how.note, answer, options.names),
      };
    case 'json':
      return { out: jsonOutput(readRecord(answer)) };
  }
};
