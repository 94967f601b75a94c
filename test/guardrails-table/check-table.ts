import type { CheckPhase } from '../../schema/trail/trail.ts';

/** A place in the table, and the kind of request. */
export interface TablePlace {
  readonly id: string;
  readonly phase: CheckPhase;
  readonly dialect: string;
  readonly stream: boolean;
}

export interface CheckTable {
  /**
   * Opens a place. The returned function records the statuses of a column; the column is `all` if such requests are refused
   * before any check.
   */
  open(place: TablePlace): (column: string, statuses: readonly number[]) => void;
  /** Returns the table in Markdown. */
  text(): string;
}

interface Note extends TablePlace {
  readonly column: string;
  readonly said: string;
}

const columns = ['pass', 'fail', 'error', 'time-out', 'inverted'];

const intro = `# The table of checks

Each check that comes with the gateway judges prompts (*input*) and answers (*output*) as a guardrail that denies, through
a linked plan and a provider that answers in the client's dialect. The dialects are
DIALECTS.
Embeddings, rerankings and moderations have only an input to judge; they and OCR are never streams, and like completions they
have no tools.

A cell has the status of the answer in every dialect: where the check passes; where it fails; where it has an error or times
out, first without and then with \`failOnError\`; and with \`not\`, of what it otherwise passes and of what it otherwise
fails. A dash is what cannot happen: a check that asks no service does not time out, and some pass whatever they see. The
last column is what is different for streams.REFUSED
\`vitest run test/guardrails-table -u\` writes this file.
`;

/** A sentence that the intro contains as long as there are such cells. */
const refusal = ' 501 is the status of streams that no output check judges yet.';

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** The most frequent result, followed by the exceptions and their results. */
const words = (notes: readonly Note[]): string => {
  if (notes.length === 0) return '–';
  const bySaid = [...Map.groupBy(notes, ({ said }) => said)].sort(([, a], [, b]) => b.length - a.length);
  const [[most] = [''], ...others] = bySaid;
  const exceptions = others.map(([said, places]) => {
    const names = places.map(({ dialect, stream }) => (stream ? `${dialect} streamed` : dialect));
    return `${said} for ${names.join(', ')}`;
  });
  return [most, ...exceptions].join('; ');
};

/** Collects results in a table with a row for each check and phase. */
export const createTable = (): CheckTable => {
  const places: TablePlace[] = [];
  const notes: Note[] = [];

  const toRow = (id: string, phase: CheckPhase): string => {
    const own = notes.filter((note) => note.id === id && note.phase === phase);
    const whole = own.filter(({ stream }) => !stream);
    const streamed = own.filter(({ stream }) => stream);
    const refused = streamed.filter(({ column }) => column === 'all');
    const cells = columns.map((column) => {
      const at = (list: readonly Note[]): string => words(list.filter((note) => note.column === column));
      const [one, two] = [at(whole), at(streamed)];
      return refused.length > 0 || one === two ? one : `${one}; streamed ${two}`;
    });
    return row([`\`${id}\``, phase, ...cells, refused.length > 0 ? words(refused) : 'the same']);
  };

  return {
    open: (place) => {
      places.push(place);
      return (column, statuses) => void notes.push({ ...place, column, said: statuses.join(' / ') });
    },
    text: () => {
      const dialects = [...new Set(places.map(({ dialect }) => `\`${dialect}\``))].join(', ');
      const rows = new Map(places.map(({ id, phase }) => [`${id} ${phase}`, { id, phase }]));
      const head = ['check', 'phase', ...columns, 'streamed'];
      return [
        intro
          .replace('DIALECTS', dialects)
          .replace('REFUSED', notes.some(({ column }) => column === 'all') ? refusal : ''),
        row(head),
        row(head.map(() => '---')),
        ...[...rows.values()].map(({ id, phase }) => toRow(id, phase)),
        '',
      ].join('\n');
    },
  };
};
