import { setTimeout } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { openStore } from '../../../../plugins/control/kernel/store/open/open-store.ts';
import { temporaryFolder } from '../../../support/commands/temporary-folder.ts';
import type { GatewayProcess } from '../../../support/gateways/gateway-process.ts';
import { control, serveStore } from '../../../support/gateways/stored-gateway.ts';
import { type PostgresServer, postgresFolder, startPostgres } from '../../../support/servers/postgres-server.ts';
import { startUpstream, type TestUpstream, type UpstreamHandler } from '../../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../../support/vendors/openai-wire.ts';

/** Dollars per million tokens. An answer of `answerLine` costs 17 × 100, 4 × 50 and 9 × 200 of them. */
const prices = { openai: { '*': { input: 100, output: 200, cache_read: 50 } } };

/** The cost of an answer of `answerLine`, in billionths of a dollar. */
export const lineCost = 3_700_000;

export const answerLine: UpstreamHandler = (call) => call.json(openaiAnswer({ text: 'Hello!' }));

/** The same answer after a moment, so that a batch takes some time. */
export const answerSlowly: UpstreamHandler = async (call) => {
  await setTimeout(40);
  await answerLine(call);
};

/** The entries of the ledger for a batch. */
export interface Booked {
  /** How many lines have attempts. */
  readonly lines: number;
  /** Attempts for which the upstream reported usage. Others are estimated, or used nothing. */
  readonly reported: number;
  /** The cost of the reported attempts, in billionths of a dollar. */
  readonly nanoUsd: number;
}

export interface BatchProcesses {
  readonly server: PostgresServer;
  readonly upstream: TestUpstream;
  start(): Promise<GatewayProcess>;
  booked(batch: string): Promise<Booked>;
}

/** Whether PostgreSQL is installed. */
export const hasPostgres: boolean = postgresFolder() !== undefined;

/**
 * A PostgreSQL, an upstream, and any number of gateways that are started on them, with one folder of files. All end with the
 * test. The first gateway saves the provider `main`.
 */
export const batchProcesses = async (
  handler: UpstreamHandler = answerLine,
  { limits, env = {} }: { readonly limits?: { readonly url: string }; readonly env?: Record<string, string> } = {},
): Promise<BatchProcesses> => {
  const server = await startPostgres(postgresFolder() ?? '');
  onTestFinished(() => server.stop());
  const upstream = await startUpstream(handler);
  onTestFinished(() => upstream.close());
  const url = '${env:' + 'STORE_URL}';
  const store = { url, files: { folder: temporaryFolder() }, ...(limits === undefined ? {} : { limits }) };
  let isFirst = true;
  return {
    ...{ server, upstream },
    async start() {
      const files = { 'gateway.json': { store, prices } };
      const gateway = await serveStore(server.url, { files, env: { STORE_URL: server.url, ...env } });
      const settings = { custom_host: `${upstream.origin}/v1` };
      if (isFirst)
        await control(gateway, 'POST /providers', {
          body: { name: 'Main', slug: 'main', provider: 'openai', credential: { api_key: 'sk-main' }, settings },
        });
      isFirst = false;
      return gateway;
    },
    async booked(batch) {
      const { db, close } = await openStore({ url: server.url });
      const rows = await db
        .selectFrom('ledger')
        .select(['trace', 'nano_usd', 'kind'])
        .where('trace', 'like', `${batch}-%`)
        .execute();
      await close();
      const reported = rows.filter(({ kind }) => kind === 'reported');
      return {
        lines: new Set(rows.map(({ trace }) => trace)).size,
        reported: reported.length,
        nanoUsd: reported.reduce((sum, { nano_usd }) => sum + Number(nano_usd), 0),
      };
    },
  };
};
