import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import type { Columns } from '../../kernel/resource/api-command.ts';
import { cellText } from './cell.ts';
import type { Shown, ShowOptions } from './show.ts';
import { tableText } from './table.ts';

const objects = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

const groupCell = (row: JsonObject, member: string): string => {
  if (row.is_other === true && member.startsWith('metadata.')) return 'other values';
  return cellText(row[member], member === 'day' || member === 'hour' ? 'time' : 'value');
};

/** Groups of a report as a table, told apart by the members that stand before the first sum, and their total below. */
export const showSums = (columns: Columns, answer: Json, { width }: ShowOptions): Shown => {
  const { data, summary, total }: JsonObject = isJsonObject(answer) ? answer : {};
  const rows = objects(data);
  const [sums, first = {}] = [Object.values(columns), rows[0]];
  const members = Object.keys(first);
  const ends = members.findIndex((member) => sums.includes(member));
  const groups = members.slice(0, Math.max(0, ends)).filter((member) => member !== 'is_other');
  const cells = (row: JsonObject): readonly string[] => sums.map((member) => cellText(row[member]));
  const summed = isJsonObject(summary) ? summary : {};
  const all = groups.length === 0 ? [] : rows;
  const text = tableText({
    head: [...groups.map((member) => member.toUpperCase()), ...Object.keys(columns)],
    rows: [
      ...all.map((row) => [...groups.map((member) => groupCell(row, member)), ...cells(row)]),
      [...groups.map((_, at) => (at === 0 ? 'total' : '')), ...cells(summed)],
    ],
    width,
  });
  const isPart = typeof total === 'number' && total > rows.length;
  return {
    out: text,
    ...(isPart && { note: `${rows.length} of ${total} groups are listed: --page and --page-size choose which.` }),
  };
};
