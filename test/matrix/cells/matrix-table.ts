import { scenarios } from '../scenarios.ts';
import type { Verdict } from './judge-cell.ts';

/** Where in the table. */
export interface Place {
  /** A dialect. */
  readonly client: string;
  readonly family: string;
  readonly scenario: string;
}

export interface MatrixTable {
  /** A cell counts as broken until what it lost is said. */
  open(place: Place): (verdict: Pick<Verdict, 'lost' | 'isText'>) => void;
  /** Markdown. */
  text(): string;
}

interface Cell extends Place {
  verdict?: Pick<Verdict, 'lost' | 'isText'>;
}

const intro = `# The matrix of dialects

Each client dialect asks each family of providers through its vendor's official library, whole and streamed, through one
gateway process. A cell says whether everything that was asked and answered arrived as it was, or which declared losses
there were: the member of the conversation or of the answer, as the \`losses\` of dialects and providers name it. What a
request loses is told to its client in \`x-gw-dropped-params\`. *As text* means that the provider has no form for it but
text. A dash is what the client's library itself cannot ask for. \`vitest run test/matrix -u\` writes this file.
`;

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const words = (cells: readonly Cell[]): string => {
  if (cells.length === 0) return '–';
  if (cells.some(({ verdict }) => verdict === undefined)) return '**broken**';
  const lost = [...new Set(cells.flatMap(({ verdict }) => verdict?.lost ?? []))];
  if (lost.length === 0) return cells.some(({ verdict }) => verdict?.isText) ? 'as text' : 'works';
  return `loses ${lost.map((member) => `\`${member}\``).join(', ')}`;
};

/** Collects cells, a table for each client's dialect. */
export const createTable = (): MatrixTable => {
  const cells: Cell[] = [];
  const ids = scenarios.map(({ id }) => id);
  const head = [row(['provider', ...ids]), row(['---', ...ids.map(() => '---')])];
  const tableOf = (client: string): readonly string[] => {
    const own = cells.filter((cell) => cell.client === client);
    const families = [...new Set(own.map(({ family }) => family))];
    const rows = families.map((family) => {
      const all = own.filter((cell) => cell.family === family);
      return row([family, ...ids.map((id) => words(all.filter(({ scenario }) => scenario === id)))]);
    });
    return ['', `## Clients of \`${client}\``, '', ...head, ...rows];
  };
  return {
    open: (place) => {
      const cell: Cell = { ...place };
      cells.push(cell);
      return (verdict) => {
        cell.verdict = verdict;
      };
    },
    text: () => {
      const clients = [...new Set(cells.map(({ client }) => client))];
      return `${[intro.trimEnd(), ...clients.flatMap(tableOf)].join('\n')}\n`;
    },
  };
};
