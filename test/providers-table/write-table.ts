import type { Provider } from '../../plugins/sdk/provider/provider.ts';
import type { ReceivedRequest } from '../support/servers/upstream-server.ts';
import { credentialOf } from './targets.ts';

/** The result for a provider and a format that it supports. */
export interface TableCell {
  readonly provider: Provider;
  readonly dialect: string;
  readonly operation: string;
  /** The library that sent the request through the gateway; undefined for a plain request. */
  readonly client: string | undefined;
  /** The vendor's library that sent the same request directly; undefined if there is none. */
  readonly vendor: string | undefined;
  /** The request that the provider received; undefined if the provider runs in process. */
  readonly request: ReceivedRequest | undefined;
  /** The URL to which the gateway would have sent it without the test. */
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

/** Lists the formats of an operation, with their names if there are several. */
const operationWords = (cells: readonly TableCell[]): string =>
  cells.length < 2
    ? cells.map(cellWords).join('')
    : cells.map((cell) => `${cell.dialect}: ${cellWords(cell)}`).join('<br>');

/** Returns a table: a row for each provider, a column for each operation, and a last one for providers that only pass through. */
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

/** Returns a header value with field names in place of secrets, and without what follows a signed credential. */
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

/** Returns a table with a row for each provider and format: the request that the provider receives. */
export const requestsTable = (cells: readonly TableCell[]): string =>
  table(
    ['provider', 'format', 'request', 'credential'],
    cells.flatMap(({ provider, dialect, request, address }) =>
      request === undefined
        ? []
        : [[code(provider.id), code(dialect), code(`${request.method} ${address}`), callerWords(request, provider)]],
    ),
  );
