import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import type { Columns } from '../../kernel/resource/api-command.ts';
import type { ApiProblem } from '../client/api-problem.ts';
import { type CellKind, cellText } from './cell.ts';
import { jsonOutput } from './json-output.ts';
import { printableText } from './printable.ts';
import { tableText } from './table.ts';
import { padText, textWidth } from './text-width.ts';

export interface ShowOptions {
  /** How many columns of a terminal a line may take; any number if absent. */
  readonly width: number | undefined;
  /** What was given in the place of the braces of the path, by its name there. */
  readonly names: Readonly<Record<string, string>>;
}

/** What a command prints: `out` on standard output, where programs read; `note` for people, on standard error. */
export interface Shown {
  readonly out?: string;
  readonly note?: string;
  /** What is wrong with the request, although it was not refused. */
  readonly problems?: readonly ApiProblem[];
}

/** Makes the text for people of an answer. */
type Show = (answer: Json, options: ShowOptions) => Shown;

const asObject = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

/** What an answer is about: some are wrapped as `{ success, data }`. */
export const readRecord = (answer: Json): JsonObject => {
  const { data, ...rest } = asObject(answer);
  return isJsonObject(data) ? data : { ...rest, ...(data !== undefined && { data }) };
};

/** Members that are called so are seconds since the epoch. */
const isTime = (member: string): boolean => member.endsWith('_at') || member === 'timestamp';

const toKind = (member: string): CellKind => (isTime(member) ? 'time' : member === 'problem' ? member : 'names');

/** The text of a member of a record in a table. */
export const memberText = (record: JsonObject, member: string): string => cellText(record[member], toKind(member));

/** A list as a table, and where there is more of it. */
export const showTable =
  (columns: Columns, list = 'data'): Show =>
  (answer, { width }) => {
    const { [list]: data, total, has_more: hasMore, last_id: lastId } = asObject(answer);
    const rows = Array.isArray(data) ? data.map(asObject) : [];
    const members = Object.values(columns);
    const text = tableText({
      head: Object.keys(columns),
      rows: rows.map((row) => members.map((member) => memberText(row, member))),
      width,
    });
    const isPart = typeof total === 'number' && total > rows.length;
    return {
      out: text,
      ...(hasMore === true && { note: `There are more: --after ${cellText(lastId)} lists them.` }),
      ...(isPart && { note: `${rows.length} of ${total} are listed: --page and --page-size choose which.` }),
    };
  };

const textBelow = (value: Json): string => (typeof value === 'string' ? printableText(value) : jsonOutput(value));

/** One record: a line for each member, and below them the one that `text` names, as it is. */
export const showRecord =
  (text?: string): Show =>
  (answer) => {
    const record = readRecord(answer);
    const members = Object.keys(record).filter((member) => member !== text && member !== 'object');
    const labels = members.map((member) => cellText(member));
    const width = Math.max(0, ...labels.map(textWidth));
    const lines = members.map((member, at) => {
      const value = cellText(record[member], isTime(member) ? 'time' : 'value');
      return `${padText(labels[at] ?? '', width)}  ${value}\n`;
    });
    const below = text === undefined ? undefined : record[text];
    return { out: lines.join('') + (below === undefined ? '' : `\n${textBelow(below)}`) };
  };
