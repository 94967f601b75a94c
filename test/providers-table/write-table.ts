import type { Provider } from '../../plugins/sdk/provider/provider.ts';
import type { ReceivedRequest } from '../support/upstream-server.ts';
import { credentialOf } from './targets.ts';

/** What came of a provider and a format that it speaks. */
export interface TableCell {
  readonly provider: Provider;
  readonly dialect: string;
  readonly operation: string;
  /** The library that asked through the gateway; undefined for a plain request. */
  readonly client: string | undefined;
  /** The vendor's library that asked the same without it; undefined if there is none. */
  readonly vendor: string | undefined;
  /** What the provider got; undefined for one that answers in process. */
  readonly request: ReceivedRequest | undefined;
  /** Where the provider itself would have got it. */
  readonly address: string;
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const table = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');

const code = (text: string): string => `\`${text}\``;

const serverWords = ({ provider, vendor, request }: TableCell): string => {
  if (request === undefined) return 'in process';
  if (vendor !== undefined) return code(vendor);
  const { unconfirmed = [] } = provider;
  return unconfirmed.includes('operations') || unconfirmed.includes('address') ? 'unconfirmed' : 'documented';
};

const cellWords = (cell: TableCell): string =>
  `${cell.client === undefined ? 'plain' : code(cell.client)} → ${serverWords(cell)}`;

/** The formats of one operation, each named where there are several. */
const operationWords = (cells: readonly TableCell[]): string =>
  cells.length < 2
    ? cells.map(cellWords).join('')
    : cells.map((cell) => `${cell.dialect}: ${cellWords(cell)}`).join('<br>');

/** A row for each provider, and a column for each operation that one of them has; the last one is for what is passed through alone. */
export const operationsTable = (
  providers: readonly Provider[],
  cells: readonly TableCell[],
  operations: readonly string[],
): string => {
  const columns = operations.filter((operation) => cells.some((cell) => cell.operation === operation));
  const rows = providers.map((provider) => {
    const own = cells.filter((cell) => cell.provider === provider);
    const words = columns.map((operation) => operationWords(own.filter((cell) => cell.operation === operation)));
    return [code(provider.id), ...words, own.length === 0 ? 'passed through' : ''];
  });
  return table(['provider', ...columns, 'any path'], rows);
};

/** A header with the names of what a credential has in place of its secrets; without what is signed after them. */
const withoutSecrets = (value: string, provider: Provider): string => {
  const secrets = Object.entries(credentialOf(provider));
  const named = secrets.reduce((text, [field, secret]) => text.replaceAll(secret ?? '', `{${field}}`), value);
  return named.replace(/(?<=\})\/.*$/, '/…');
};

const callerWords = (request: ReceivedRequest, provider: Provider): string => {
  const secrets = Object.values(credentialOf(provider)).filter((secret) => secret !== undefined);
  const lines = request.head.split('\r\n').filter((each) => secrets.some((secret) => each.includes(secret)));
  return lines
    .map((each) => {
      const [name = '', value = ''] = each.split(/: (.*)/s);
      return code(`${name.toLowerCase()}: ${withoutSecrets(value, provider)}`);
    })
    .join(', ');
};

/** A row for each provider and format: what the provider gets. */
export const requestsTable = (cells: readonly TableCell[]): string =>
  table(
    ['provider', 'format', 'request', 'credential'],
    cells.flatMap(({ provider, dialect, request, address }) =>
      request === undefined
        ? []
        : [[code(provider.id), code(dialect), code(`${request.method} ${address}`), callerWords(request, provider)]],
    ),
  );
