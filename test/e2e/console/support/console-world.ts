import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { type GatewayProcess, type GatewayStart, startGateway } from '../../../support/gateways/gateway-process.ts';
import { adminKey } from '../../../support/gateways/stored-gateway.ts';
import { postgresFolder, startPostgres } from '../../../support/servers/postgres-server.ts';
import { startUpstream, type TestUpstream, type UpstreamHandler } from '../../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../../support/vendors/openai-wire.ts';
import { sharedBrowser } from './browser.ts';
import { IdlePages } from './idle-pages.ts';
import { noteRequests } from './until-quiet.ts';
import { watchPage } from './watch-page.ts';

export interface ConsoleOptions {
  /** SQLite by default. */
  readonly store?: 'sqlite' | 'postgres';
  /** An upstream that answers `Hello!` in OpenAI's form by default. */
  readonly upstream?: UpstreamHandler;
  readonly start?: GatewayStart;
}

export interface OpenOptions {
  /** The admin key by default. If it is undefined, the page is not signed in. */
  readonly key?: string | undefined;
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
}

export interface ConsoleWorld {
  readonly gateway: GatewayProcess;
  readonly upstream: TestUpstream;
  readonly browser: Browser;
  /**
   * Opens a page of the console, signed in: `open('/audit')`. The page is returned to the pool when the test ends. The test fails
   * if the page threw, broke its security policy or sent a request to another host.
   */
  open(path: string, options?: OpenOptions): Promise<Page>;
  /** Opens another address in a page. If a key is given, signs in with it first. */
  reopen(page: Page, path: string, key?: string): Promise<void>;
}

/** Whether PostgreSQL is installed: `it.skipIf(!hasPostgres)`. */
export const hasPostgres: boolean = postgresFolder() !== undefined;

const signIn = async (context: BrowserContext, origin: string, key: string): Promise<void> => {
  const answer = await context.request.post(`${origin}/console/session`, {
    data: { key },
    headers: { origin, 'x-gw-console': '1' },
  });
  if (answer.status() !== 200) throw new Error(`Signing in: ${answer.status()} ${await answer.text()}`);
};

/** A gateway with a store, an upstream and a browser that the tests of a file share. The gateway's console is built. */
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
    const browser = await sharedBrowser();
    const { origin } = gateway;
    const pages = new IdlePages(browser, origin);
    ends.push(() => pages.close());
    world = {
      gateway,
      upstream,
      browser,
      async open(path, opened = {}) {
        const { key, colorScheme = 'light', width = 1280, height = 800 } = { key: adminKey, ...opened };
        const page = await pages.take();
        const problems = watchPage(page, origin);
        noteRequests(page);
        onTestFinished(async () => {
          await pages.give(page);
          expect(problems).toEqual([]);
        });
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.setViewportSize({ width, height });
        if (key !== undefined) await signIn(page.context(), origin, key);
        await page.goto(`${origin}/console${path}`);
        return page;
      },
      async reopen(page, path, key) {
        if (key !== undefined) await signIn(page.context(), origin, key);
        await page.goto(`${origin}/console${path}`);
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
