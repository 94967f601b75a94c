import { startBrowser } from '../../e2e/console/support/browser.ts';
import { markdownTable, number } from '../harness/figures.ts';
import { median } from '../harness/measure.ts';
import { type ConsoleOptions, print } from './options.ts';
import { noteChanges, openSettled } from './settled.ts';
import { startConsole } from './started-console.ts';

const rounds = 5;
const throttle = 4;

/** Opens the console in new browser contexts with a throttled CPU. Prints the times to the first paint and to the content. */
export const measureFirstPage = async (options: ConsoleOptions): Promise<void> => {
  const started = await startConsole(options);
  const browser = await startBrowser();
  try {
    const rows: string[][] = [];
    for (const name of ['sign-in', 'overview']) {
      const [painted, contents, bytes]: number[][] = [[], [], []];
      for (let round = 0; round < rounds; round += 1) {
        const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
        await context.addInitScript({ content: noteChanges });
        if (name !== 'sign-in') await started.signIn(context);
        const page = await context.newPage();
        const session = await context.newCDPSession(page);
        await session.send('Emulation.setCPUThrottlingRate', { rate: throttle });
        contents?.push((await openSettled(page, `${started.origin}/console/overview`)).ms);
        const [paint, size] = await page.evaluate<readonly [number, number]>(
          `[performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
            performance.getEntriesByType('resource').filter(({ name }) => name.includes('/console/assets/')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)]`,
        );
        painted?.push(paint);
        bytes?.push(size);
        await context.close();
      }
      rows.push([
        name,
        number(median(painted ?? []), 0),
        number(median(contents ?? []), 0),
        number(median(bytes ?? []) / 1024, 0),
      ]);
    }
    print(`\nThe first page, with nothing cached, at ${throttle} × CPU throttle\n\n`);
    print(markdownTable(['page', 'first painted, ms', 'content, ms', 'KB of files, compressed'], rows));
  } finally {
    await browser.close();
    await started.stop();
  }
};
