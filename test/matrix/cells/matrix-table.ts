import { scenarios } from '../scenario.ts';

/** What one way to ask for a feature lost. */
export interface Cell {
  readonly client: string;
  readonly family: string;
  readonly scenario: string;
  readonly lost: readonly string[];
  /** Something differed that nothing declares. */
  readonly isBroken: boolean;
}

export interface MatrixTable {
  add(cell: Cell): void;
  /** Markdown. */
  text(): string;
}

const intro = `# The matrix of dialects

Each client dialect asks each family of providers through its vendor's official library, whole and streamed, through one
gateway process. A cell says whether everything that was asked and answered arrived as it was, or which declared losses
there were: the member of the conversation or of the answer, as the dialects' \`losses.ts\` name it. A dash is what the
client's library itself cannot ask for. \`vitest run test/matrix -u\` writes this file.
`;

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const words = (cells: readonly Cell[]): string => {
  if (cells.length === 0) return '–';
  if (cells.some(({ isBroken }) => isBroken)) return '**broken**';
  const lost = [...new Set(cells.flatMap((cell) => cell.lost))];
  return lost.length === 0 ? 'works' : `loses ${lost.map((member) => `\`${member}\``).join(', ')}`;
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
    add: (cell) => void cells.push(cell),
    text: () => {
      const clients = [...new Set(cells.map(({ client }) => client))];
      return `${[intro.trimEnd(), ...clients.flatMap(tableOf)].join('\n')}\n`;
    },
  };
};
