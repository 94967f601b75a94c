import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { type GatewayProcess, type GatewayStart, startGateway } from '../../../support/gateway-process.ts';
import { postgresFolder, startPostgres } from '../../../support/postgres-server.ts';
import { adminKey } from '../../../support/stored-gateway.ts';
import { startUpstream, type TestUpstream, type UpstreamHandler } from '../../../support/upstream-server.ts';
import { openaiAnswer } from '../../../support/vendors/openai-wire.ts';
import { startBrowser } from './browser.ts';
import { reportViolations, watchPage } from './watch-page.ts';

export interface ConsoleOptions {
  /** SQLite by default. */
  readonly store?: 'sqlite' | 'postgres';
  /** An upstream that answers `Hello!` in OpenAI's form by default. */
  readonly upstream?: UpstreamHandler;
  readonly start?: GatewayStart;
}

export interface OpenOptions {
  /** The admin key by default. Without one the page is not signed in. */
  readonly key?: string | undefined;
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  readonly timezoneId?: string;
}

export interface ConsoleWorld {
  readonly gateway: GatewayProcess;
  readonly upstream: TestUpstream;
  readonly browser: Browser;
  /**
   * Opens a page of the console, signed in: `open('/audit')`. It is closed with the test, which fails if the page threw,
   * broke its security policy or asked another host.
   */
  open(path: string, options?: OpenOptions): Promise<Page>;
}

/** PostgreSQL where it is installed: `it.skipIf(!hasPostgres)`. */
export const hasPostgres: boolean = postgresFolder() !== undefined;

const signIn = async (context: BrowserContext, origin: string, key: string): Promise<void> => {
  const answer = await context.request.post(`${origin}/console/session`, {
    data: { key },
    headers: { origin, 'x-gw-console': '1' },
  });
  if (answer.status() !== 200) throw new Error(`Signing in: ${answer.status()} ${await answer.text()}`);
};

/** A gateway with a store, an upstream and a browser that the tests of a file share; the gateway's console is built. */
export const consoleWorld = (options: ConsoleOptions = {}): (() => ConsoleWorld) => {
  let world: ConsoleWorld | undefined;
  const ends: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    const upstream = await startUpstream(options.upstream ?? ((call) => call.json(openaiAnswer({ text: 'Hello!' }))));
    ends.push(() => upstream.close());
    let store = 'gateway.db';
    if (options.store === 'postgres') {
      const server = await startPostgres(postgresFolder() ?? '');
      ends.push(() => server.stop());
      store = server.url;
    }
    const { start = {} } = options;
    const gateway = await startGateway({
      ...start,
      args: ['--store', store, ...(start.args ?? [])],
      env: { GW_ADMIN_KEY: adminKey, GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'), ...start.env },
    });
    ends.push(() => gateway.stop());
    const browser = await startBrowser();
    ends.push(() => browser.close());
    const { origin } = gateway;
    world = {
      gateway,
      upstream,
      browser,
      async open(path, opened = {}) {
        const {
          key,
          colorScheme = 'light',
          width = 1280,
          height = 800,
          timezoneId = 'Europe/Berlin',
        } = {
          key: adminKey,
          ...opened,
        };
        const context = await browser.newContext({
          colorScheme,
          timezoneId,
          locale: 'en-GB',
          viewport: { width, height },
          reducedMotion: 'reduce',
        });
        await reportViolations(context);
        if (key !== undefined) await signIn(context, origin, key);
        const page = await context.newPage();
        const problems = watchPage(page, origin);
        onTestFinished(async () => {
          await context.close();
          expect(problems).toEqual([]);
        });
        await page.goto(`${origin}/console${path}`);
        return page;
      },
    };
  });
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });
  return () => {
    if (world === undefined) throw new Error('The console is there once the tests have begun.');
    return world;
  };
};
