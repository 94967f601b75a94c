import { setTimeout } from 'node:timers/promises';
import { startBrowser } from '../../e2e/console/support/browser.ts';
import { markdownTable, number, percent } from '../harness/figures.ts';
import { cpuMicros, putReportedLoad, residentMb } from '../harness/measure.ts';
import { chatRequest } from '../harness/payloads.ts';
import { type ConsoleOptions, print } from './options.ts';
import { watchBrowser, watchHeap } from './renderer.ts';
import { servedConfig, startConsole } from './started-console.ts';

/** Seconds of the same load without a live view, before the load with one is measured. */
const withoutSeconds = 60;
const settleMs = 3000;

/**
 * Sends requests at a fixed rate, first with no console open and then with the live view. Measures what the view costs the
 * gateway and the browser, in shares of a core, and whether memory stays constant.
 */
export const measureLive = async (options: ConsoleOptions): Promise<void> => {
  const { minutes, rate, ports } = options;
  const started = await startConsole(options);
  const browser = await startBrowser();
  try {
    const { server, origin, key } = started;
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    await started.signIn(context);
    const load = {
      ...({ mode: 'open', port: ports.first, path: '/v1/chat/completions', connections: 16, rate } as const),
      ...{ headers: { 'x-gw-api-key': key, 'x-gw-config': servedConfig }, body: chatRequest() },
    };
    const put = async (seconds: number, reportSeconds: number, report: (seconds: number) => Promise<void>) => {
      let before = performance.now();
      const { failures } = await putReportedLoad({ ...load, seconds, reportSeconds }, async () => {
        const now = performance.now();
        await report((now - before) / 1000);
        before = now;
      });
      if (failures === 0) return;
      print(`\n${failures} requests failed.\n`);
      process.exitCode = 1;
    };

    let gatewayCpu = cpuMicros(server.pid);
    const share = (now: number, before: number, seconds: number): number => (now - before) / (seconds * 1e6);
    let alone = Number.NaN;
    const before = Math.min(withoutSeconds, minutes * 60);
    // V8 still compiles code in the first period.
    await put(before, before / 2, async (seconds) => {
      const cpu = cpuMicros(server.pid);
      alone = share(cpu, gatewayCpu, seconds);
      gatewayCpu = cpu;
    });

    const page = await context.newPage();
    await page.goto(`${origin}/console/live`);
    await page.getByRole('row').nth(1).waitFor();
    await setTimeout(settleMs);
    const [readBrowser, readHeap] = [await watchBrowser(browser), await watchHeap(page)];
    let browserBefore = await readBrowser();
    gatewayCpu = cpuMicros(server.pid);
    const rows: string[][] = [];
    const period = Math.min(60, (minutes * 60) / 2);
    await put(minutes * 60, period, async (seconds) => {
      const [cpu, now] = [cpuMicros(server.pid), await readBrowser()];
      rows.push([
        number(((rows.length + 1) * period) / 60),
        ...[percent(share(cpu, gatewayCpu, seconds)), percent(share(cpu, gatewayCpu, seconds) - alone)],
        percent(share(now.renderer, browserBefore.renderer, seconds)),
        percent(share(now.others, browserBefore.others, seconds)),
        ...[number(residentMb(server.pid), 0), number(now.megabytes, 0), number(await readHeap())],
      ]);
      // Reading the heap collects garbage, which is not part of the page's work.
      [gatewayCpu, browserBefore] = [cpu, await readBrowser()];
    });
    print(`\n${rate} requests a second in the live view, on ${options.store}; shares of a core\n\n`);
    print(
      markdownTable(
        [
          ...['minute', 'gateway', `above its ${percent(alone)} without a view`, 'page', 'rest of the browser'],
          ...['gateway, MB', 'page, MB', 'its live objects, MB'],
        ],
        rows,
      ),
    );
    const leftOut = await page.getByText('arrived faster than this browser could read').count();
    print(leftOut === 0 ? '\nNothing was left out.\n' : '\nThe gateway left requests out: the browser was too slow.\n');
  } finally {
    await browser.close();
    await started.stop();
  }
};
