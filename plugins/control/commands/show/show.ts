import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json.ts';
import type { ApiProblem } from '../client/api-problem.ts';
import { type CellKind, cellText } from './cell.ts';
import { jsonOutput } from './json-output.ts';
import { tableText } from './table.ts';
import { padText, textWidth } from './text-width.ts';

export interface ShowOptions {
  /** How many columns of a terminal a line may take; any number if absent. */
  readonly width: number | undefined;
  /** What was given in the place of the braces of the path. */
  readonly names: readonly string[];
}

/** What a command prints: `out` on standard output, where programs read; `note` for people, on standard error. */
export interface Shown {
  readonly out?: string;
  readonly note?: string;
  /** What is wrong with the request, although it was not refused. */
  readonly problems?: readonly ApiProblem[];
}

/** Makes the text for people of an answer. */
export type Show = (answer: Json, options: ShowOptions) => Shown;

/** A column of a table. */
export interface Column {
  readonly head: string;
  readonly member: string;
  readonly kind?: CellKind;
}

const asObject = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

/** What an answer is about: some are wrapped as `{ success, data }`. */
export const recordOf = (answer: Json): JsonObject => {
  const { data, ...rest } = asObject(answer);
  return isJsonObject(data) ? data : { ...rest, ...(data !== undefined && { data }) };
};

/** A member of an answer for a sentence. */
export const said = (answer: Json, member: string): string => cellText(recordOf(answer)[member]);

/** A list as a table, and where there is more of it. */
export const showTable =
  (columns: readonly Column[]): Show =>
  (answer, { width }) => {
    const { data, total } = asObject(answer);
    const rows = Array.isArray(data) ? data.map(asObject) : [];
    const text = tableText({
      head: columns.map(({ head }) => head),
      rows: rows.map((row) => columns.map(({ member, kind }) => cellText(row[member], kind))),
      width,
    });
    const isPart = typeof total === 'number' && total > rows.length;
    return {
      out: text,
      ...(isPart && { note: `${rows.length} of ${total} are listed: --page and --page-size choose which.` }),
    };
  };

export interface RecordOptions {
  /** Members that are seconds since the epoch. */
  readonly times?: readonly string[];
  /** A member that is shown as JSON below the others. */
  readonly text?: string;
}

/** One record: a line for each member. */
export const showRecord =
  ({ times = [], text }: RecordOptions = {}): Show =>
  (answer) => {
    const record = recordOf(answer);
    const names = Object.keys(record).filter((name) => name !== text && name !== 'object');
    const labels = names.map((name) => cellText(name));
    const width = Math.max(0, ...labels.map(textWidth));
    const lines = names.map((name, at) => {
      const value = cellText(record[name], times.includes(name) ? 'time' : 'value');
      return `${padText(labels[at] ?? '', width)}  ${value}\n`;
    });
    const below = text === undefined ? undefined : record[text];
    return { out: lines.join('') + (below === undefined ? '' : `\n${jsonOutput(below)}`) };
  };

/** A sentence on what was done. */
export const showSaid =
  (sentence: (answer: Json, names: readonly string[]) => string): Show =>
  (answer, { names }) => ({
    out: `${sentence(
      answer,
      names.map((name) => cellText(name)),
    )}\n`,
  });
