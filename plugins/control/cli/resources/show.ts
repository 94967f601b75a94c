import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { findObject, toObjects } from '../../../../schema/json/loose.ts';
import { formatCount } from '../../../../schema/text/format-count.ts';
import type { Columns, Display, PassingValues, UnpricedUnit } from '../../kernel/resource/api-command.ts';
import { type ApiProblem, toProblems } from '../client/ask-gateway.ts';
import { runFailure } from '../command-line/services.ts';
import { requestText } from './request-text.ts';
import { cellText, jsonOutput, padText, printable, printableText, tableText, textWidth } from './texts.ts';

const isListOfObjects = (value: Json | undefined): boolean => Array.isArray(value) && value.every(isJsonObject);

/** Checks whether a response has each member that a sentence names and that is not an argument. */
const isRepeated = (text: string, answer: Json, names: ShowOptions['names']): boolean => {
  const record = { ...names, ...readRecord(answer) };
  return [...text.matchAll(/\{(\w+)\}/g)].every(([, member = '']) => Object.hasOwn(record, member));
};

/** Checks whether a response is an error. Records use the same member for the error of a request or a job. */
const isError = ({ error, object }: JsonObject): boolean => error !== undefined && typeof object !== 'string';

/** Checks whether a response is a record, which names its type, or is wrapped as `{ success, data }`. */
const isRecord = ({ object, success, data }: JsonObject): boolean =>
  typeof object === 'string' || (success === true && isJsonObject(data));

const isDocumented = (how: WholeDisplay, answer: Json, names: ShowOptions['names']): boolean => {
  if (!isJsonObject(answer) || isError(answer)) return false;
  switch (how.as) {
    case 'table':
      return isListOfObjects(answer[how.rows ?? 'data']) && (how.rows !== undefined || answer.object === 'list');
    case 'sums':
      return isListOfObjects(answer.data) && answer.object === 'list' && isJsonObject(answer.summary);
    case 'record':
      return isRecord(answer) && (how.passes === undefined || Object.hasOwn(readRecord(answer), how.passes.member));
    case 'json':
      return isRecord(answer) && (how.member === undefined || Object.hasOwn(readRecord(answer), how.member));
    case 'request':
      return isRecord(answer);
    case 'said':
      // A dry run returns findings instead of the saved record.
      return Array.isArray(answer.diagnostics) || isRepeated(how.text, answer, names);
    case 'text':
      return typeof readRecord(answer)[how.member] === 'string';
    case 'member':
      return typeof readRecord(answer)[how.member] === 'string' && isRepeated(how.note, answer, names);
  }
};

/** Throws a `CommandFailure` for a response without the documented shape, of which nothing is shown. */
export const requireShape = (how: WholeDisplay, answer: Json, names: ShowOptions['names']): void => {
  if (!isDocumented(how, answer, names))
    throw runFailure(
      'The response is not one that a control plane returns, so it is not known whether the request was carried out.',
      'Correct --url or GW_URL if that is not a gateway, and use a gw of the same version.',
    );
};

/** How to show a response that is read as a whole. */
export type WholeDisplay = Exclude<Display, { readonly as: 'completion' | 'lines' }>;

/** Fills a sentence with members of a response, or else with the arguments in the braces of the path. */
const sentence = (template: string, answer: Json, names: ShowOptions['names']): string => {
  const record = { ...names, ...readRecord(answer) };
  return template.replaceAll(/\{(\w+)\}/g, (_, member: string) =>
    cellText(record[member], isTime(member) ? 'time' : 'value'),
  );
};

/** Shows what was saved, or what a dry run found, with its problems. */
const showSaid = (text: string, answer: Json, options: ShowOptions): Shown => {
  const { diagnostics, bounds, comparison } = asObject(answer);
  const problems = toProblems(diagnostics);
  if (bounds !== undefined) {
    const { text: changes } = asObject(comparison);
    const below = typeof changes === 'string' ? `\n${printableText(changes)}` : '';
    return { out: `${showRecord()(bounds).out ?? ''}${below}`, problems, notes: ['Nothing was saved.'] };
  }
  return { out: `${sentence(text, answer, options.names)}\n`, problems };
};

/** Checks whether a tried object works according to the response. A response without a trial passes. */
const isPassing = (passes: PassingValues | undefined, answer: Json): boolean =>
  passes === undefined || passes.values.some((value) => value === readRecord(answer)[passes.member]);

/** Formats a response for people. */
export const display = (how: WholeDisplay, answer: Json, options: ShowOptions): Shown => {
  switch (how.as) {
    case 'table': {
      const rows = toObjects(asObject(answer)[how.rows ?? 'data']);
      const shown = showTable(withUnpriced(how.columns, how.unpriced, rows), how.rows)(answer, options);
      const notes = how.note === undefined ? shown.notes : [sentence(how.note, answer, options.names)];
      return { ...shown, notes: [...(notes ?? []), ...unpricedNotes(how, sum(rows.map(countUnpriced)))] };
    }
    case 'sums': {
      const shown = showSums(how, answer, options);
      const unpriced = countUnpriced(asObject(asObject(answer).summary));
      return { ...shown, notes: [...(shown.notes ?? []), ...unpricedNotes(how, unpriced)] };
    }
    case 'record':
      return { ...showRecord(how.text)(answer), hasFailed: !isPassing(how.passes, answer) };
    case 'said':
      return showSaid(how.text, answer, options);
    case 'member':
      return {
        out: `${cellText(readRecord(answer)[how.member])}\n`,
        notes: [sentence(how.note, answer, options.names)],
      };
    case 'text':
      return { out: printableText(String(readRecord(answer)[how.member])) };
    case 'json': {
      const record = readRecord(answer);
      return { out: jsonOutput(how.member === undefined ? record : (record[how.member] ?? null)) };
    }
    case 'request':
      return showRequest(readRecord(answer), options);
  }
};

/** Shows what happened to a request. Programs that read the output get the record, as from every command that prints JSON. */
const showRequest = (record: JsonObject, { width, isForPeople }: ShowOptions): Shown =>
  isForPeople === true
    ? {
        out: requestText(record, width),
        notes: [`The whole record: gw logs get ${cellText(record.id)} --format json`],
      }
    : { out: jsonOutput(record) };

const countUnpriced = ({ unpriced }: JsonObject): number => (typeof unpriced === 'number' ? unpriced : 0);

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

/** Returns the note on what costs do not include. */
const unpricedNotes = ({ unpriced: unit }: { readonly unpriced?: UnpricedUnit }, count: number): readonly string[] =>
  unit === undefined || count === 0
    ? []
    : [
        `USD does not include ${formatCount(count, unit)} without a known price (UNPRICED). Add the prices of these models to "prices" in the gateway file; gw usage --by provider,model shows the models.`,
      ];

/** Returns the columns of a report, with an additional one if some costs are unknown. */
const withUnpriced = (columns: Columns, unit: UnpricedUnit | undefined, rows: readonly JsonObject[]): Columns =>
  unit !== undefined && rows.some((row) => countUnpriced(row) > 0) ? { ...columns, UNPRICED: 'unpriced' } : columns;

const labelPrefix = 'metadata.';

const groupCell = (row: JsonObject, member: string): string => {
  if (row.is_other === true && member.startsWith(labelPrefix)) return 'other values';
  return cellText(row[member], member === 'day' || member === 'hour' ? 'time' : 'value');
};

/** Returns the note for a label that no group of a complete report has, which is most likely misspelt. */
const noteOfLabel = (
  rows: readonly JsonObject[],
  groups: readonly string[],
  total: Json | undefined,
): readonly string[] => {
  const label = groups.find((member) => member.startsWith(labelPrefix));
  if (label === undefined || rows.length !== total) return [];
  if (rows.some((row) => row.is_other === true || (row[label] ?? null) !== null)) return [];
  return [
    `No request in this time has the label "${printable(label.slice(labelPrefix.length))}". Correct the name in --by: the requests' own labels are in gw logs get ID.`,
  ];
};

/** Checks whether all sums of a report are zero. */
const isNothing = (sums: JsonObject): boolean => Object.values(sums).every((sum) => Number(sum) === 0);

/** Returns the note for an empty report, with the time since when single attempts are stored, if the response reports it. */
const noteOfNothing = (from: Json | undefined, isFiltered: boolean): string => {
  const fact = isFiltered
    ? 'Nothing that matches these flags was recorded in this time. Change them, or the time with --since and --until.'
    : 'Nothing was recorded in this time. Choose another with --since and --until.';
  return typeof from === 'number'
    ? `${fact} Daily sums reach further back than single attempts, which are stored since ${cellText(from, 'time')}.`
    : fact;
};

/** Members of a query that do not filter records: grouping, time range and paging. */
const choosesNothing: ReadonlySet<string> = new Set(['group_by', 'from', 'to', 'page_size', 'current_page']);

/** Places rows of the same group together, group by group; otherwise they stay in the order of the response. */
const putTogether = (rows: readonly JsonObject[], [member, ...others]: readonly string[]): readonly JsonObject[] =>
  member === undefined
    ? rows
    : [...Map.groupBy(rows, (row) => groupCell(row, member)).values()].flatMap((same) => putTogether(same, others));

/**
 * Shows the groups of a report as a table, with their total below. Groups are identified by the members before the first sum.
 * Their columns are in the order in which the request names them.
 */
const showSums = (
  how: { readonly columns: Columns; readonly unpriced?: UnpricedUnit },
  answer: Json,
  { width, query = {} }: ShowOptions,
): Shown => {
  const { data, summary, total, note, attempts_from: from } = asObject(answer);
  const rows = toObjects(data);
  if (isNothing(asObject(summary)))
    return {
      isEmpty: true,
      notes: [
        noteOfNothing(
          from,
          Object.keys(query).some((name) => !choosesNothing.has(name)),
        ),
        ...(typeof note === 'string' ? [printable(note)] : []),
      ],
    };
  const columns = withUnpriced(how.columns, how.unpriced, [...rows, asObject(summary)]);
  const sums = Object.values(columns);
  const members = Object.keys(rows[0] ?? {});
  const ends = members.findIndex((member) => sums.includes(member));
  const distinguishing = members.slice(0, Math.max(0, ends)).filter((member) => member !== 'is_other');
  const asked = (query.group_by ?? '').split(',').filter((member) => distinguishing.includes(member));
  const groups = [...new Set([...asked, ...distinguishing])];
  const cells = (row: JsonObject): readonly string[] => sums.map((member) => cellText(row[member]));
  return {
    out: tableText({
      head: [...groups.map((member) => member.toUpperCase()), ...Object.keys(columns)],
      rows: [
        ...(groups.length === 0 ? [] : putTogether(rows, groups)).map((row) => [
          ...groups.map((member) => groupCell(row, member)),
          ...cells(row),
        ]),
        [...groups.map((_, at) => (at === 0 ? 'total' : '')), ...cells(asObject(summary))],
      ],
      width,
    }),
    notes: [
      ...noteOfPart(rows, total, 'groups are'),
      ...(typeof note === 'string' ? [printable(note)] : noteOfLabel(rows, groups, total)),
    ],
  };
};

/** Returns the note that a list is a part of a longer one. */
const noteOfPart = (rows: readonly unknown[], total: Json | undefined, are: string): readonly string[] =>
  typeof total === 'number' && total > rows.length
    ? [`${rows.length} of ${total} ${are} listed: --page and --page-size choose which.`]
    : [];

interface ShowOptions {
  /** The maximum width of a line, in terminal columns; unlimited if absent. */
  readonly width: number | undefined;
  /** Whether the output is a terminal, or text was requested. */
  readonly isForPeople?: boolean;
  /** The query of the request. */
  readonly query?: Readonly<Record<string, string>>;
  /** The arguments in the braces of the path, by their names there. */
  readonly names: Readonly<Record<string, string>>;
}

/** The texts that a command prints: `out` on standard output, which programs read; `notes` for people, on standard error. */
interface Shown {
  readonly out?: string;
  readonly notes?: readonly string[];
  /** The problems of the request, although it was not refused. */
  readonly problems?: readonly ApiProblem[];
  /** Whether nothing was found. */
  readonly isEmpty?: boolean;
  /** Whether the tried object does not work. */
  readonly hasFailed?: boolean;
}

const asObject = (value: Json | undefined): JsonObject => findObject(value) ?? {};

/** Reads the record in a response: some are wrapped as `{ success, data }`. */
const readRecord = (answer: Json): JsonObject => {
  const { data, ...rest } = asObject(answer);
  return findObject(data) ?? { ...rest, ...(data !== undefined && { data }) };
};

/** Checks whether a member contains seconds since the epoch, by its name. */
const isTime = (member: string): boolean => member.endsWith('_at') || member === 'timestamp';

/** Formats a member of a record for a table. */
export const memberText = (record: JsonObject, member: string): string => {
  const kind = member === 'problem' ? member : 'names';
  return cellText(record[member], isTime(member) ? 'time' : kind);
};

/** Shows a list as a table, and how to get the rest of it. */
export const showTable =
  (columns: Columns, list = 'data'): ((answer: Json, options: ShowOptions) => Shown) =>
  (answer, { width }) => {
    const { [list]: data, total, has_more: hasMore, last_id: lastId } = asObject(answer);
    const rows = Array.isArray(data) ? data.map(asObject) : [];
    return {
      isEmpty: rows.length === 0,
      out: tableText({
        head: Object.keys(columns),
        rows: rows.map((row) => Object.values(columns).map((member) => memberText(row, member))),
        width,
      }),
      notes: [
        ...(rows.length === 0 ? ['Nothing was found.'] : []),
        ...(hasMore === true ? [`There are more: --after ${cellText(lastId)} lists them.`] : []),
        ...noteOfPart(rows, total, 'are'),
      ],
    };
  };

/** Shows one record: a line for each member, and below them the member that `text` names, unformatted. */
export const showRecord =
  (text = ''): ((answer: Json) => Shown) =>
  (answer) => {
    const { [text]: below, ...record } = readRecord(answer);
    const cells = Object.entries(record).flatMap(([member, value]) =>
      member === 'object' ? [] : [[cellText(member), cellText(value, isTime(member) ? 'time' : 'value')] as const],
    );
    const width = Math.max(0, ...cells.map(([label]) => textWidth(label)));
    const lines = cells.map(([label, value]) => `${padText(label, width)}  ${value}\n`).join('');
    if (below === undefined) return { out: lines };
    return { out: `${lines}\n${typeof below === 'string' ? printableText(below) : jsonOutput(below)}` };
  };
