import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtinDialects } from '../../plugins/dialects/builtin-dialects.ts';
import type { Dialect } from '../../plugins/sdk/dialect/dialect.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import { type GatewayProcess, startGateway } from '../support/gateways/gateway-process.ts';
import { freePort } from '../support/servers/free-port.ts';
import { type PlainServer, startPlainServer } from '../support/servers/plain-server.ts';
import { startUpstream, type TestUpstream } from '../support/servers/upstream-server.ts';
import { answerWell, type BrokenHosts, type Fault, faults, words } from './faults.ts';
import { tryFault } from './try-fault.ts';

const conversing = builtinDialects.filter(
  ({ operation, routes = [] }) => operation === 'converse' && routes.length > 0,
);

const findDialect = (id: string): Dialect => conversing.find((dialect) => dialect.id === id) ?? expect.unreachable();

/** The dialect of the second provider: always another one than the client's. */
const toOther = ({ id }: Dialect): Dialect => findDialect(id === 'messages' ? 'chat' : 'messages');

/**
 * The strategies of the fallback, by the title of their table. A hedge starts only if the fault is a delay, however busy the
 * machine is.
 */
const strategies: Readonly<Record<string, (fault: Fault) => JsonObject>> = {
  'A fallback of two targets': () => ({}),
  'The same with hedge and continue': ({ timeoutMs }) => ({
    hedge: { after_ms: timeoutMs === undefined ? 15_000 : 100, budget_percent: 100 },
    continue: true,
  }),
};

let gateway: GatewayProcess;
let upstream: TestUpstream;
let plain: PlainServer;
let hosts: BrokenHosts;
const counts = new Map<string, number>();

beforeAll(async () => {
  plain = await startPlainServer();
  hosts = {
    refused: `http://127.0.0.1:${await freePort()}`,
    unknown: 'http://models.no-such-host.invalid',
    withoutTls: `https://127.0.0.1:${plain.port}`,
  };
  [gateway, upstream] = await Promise.all([
    startGateway(),
    // The path selects the provider: `/faulty/FAULT/DIALECT/stream/…` or `/well/DIALECT/stream/…`.
    startUpstream((call) => {
      const [who, ...rest] = call.request.path.slice(1).split('/');
      const [fault, id = '', form] = who === 'faulty' ? rest : ['', ...rest];
      const key = [fault, id, form].join('/');
      const nth = (counts.get(key) ?? 0) + 1;
      counts.set(key, nth);
      const played = { call, dialect: findDialect(id), streams: form === 'stream', nth };
      if (who === 'well') return answerWell(played, words.well);
      return faults[Number(fault)]?.play?.(played);
    }),
  ]);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
  plain.close();
});

const tables = new Map(Object.keys(strategies).map((title) => [title, new Map<string, readonly string[]>()]));

describe.each(Object.entries(strategies))('%s', (title, strategyOf) => {
  it.each(faults.map((fault, at) => [fault.name, fault, at] as const))('%s', async (name, fault, at) => {
    const cells = conversing.flatMap((dialect) =>
      [false, true].map(async (streams) => {
        const form = streams ? 'stream' : 'whole';
        const other = toOther(dialect);
        const verdict = await tryFault({
          ...{ fault, dialect, streams, gateway, other, strategy: strategyOf(fault) },
          hosts: {
            faulty: fault.host?.(hosts) ?? `${upstream.origin}/faulty/${at}/${dialect.id}/${form}`,
            well: `${upstream.origin}/well/${other.id}/${form}`,
          },
        });
        return verdict;
      }),
    );
    tables.get(title)?.set(name, await Promise.all(cells));
  });
});

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const toTable = (rows: ReadonlyMap<string, readonly string[]>): string => {
  const columns = conversing.flatMap(({ id }) => [`\`${id}\``, `\`${id}\`, streamed`]);
  return [
    line(['fault', ...columns]),
    line(['---', ...columns.map(() => '---')]),
    ...[...rows].map(([name, cells]) => line([name, ...cells])),
  ].join('\n');
};

const intro = `# The table of faults

What the clients of each dialect have when the first of two providers has a fault, tried over HTTP. The first provider speaks the
client's dialect, the second another one.

*next*: the whole answer of the second provider. *whole*: that of the first. *continued*: the beginning of the first provider's answer,
and then the second one's, as one stream. *error at its end*: the client has a beginning of the
first provider's answer, and then an error event of its dialect. *content filter*: the first provider's answer, with the reason why it
ended. \`vitest run test/faults-table -u\` writes this file.
`;

it('the results match the tables in FAULTS.md', async () => {
  const text = [...tables].map(([title, rows]) => `## ${title}\n\n${toTable(rows)}\n`).join('\n');
  await expect(`${intro}\n${text}`).toMatchFileSnapshot('../FAULTS.md');
});
