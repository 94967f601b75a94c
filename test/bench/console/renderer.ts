import type { Browser, CDPSession, Page } from 'playwright-core';
import { cpuMicros, residentMb } from '../measure.ts';

/** The processes of a browser that render its pages, and those beside them. */
export interface BrowserUse {
  /** CPU time since they began, in microseconds. */
  readonly renderer: number;
  readonly others: number;
  /** Resident memory of what renders. */
  readonly megabytes: number;
}

interface ProcessInfo {
  readonly processInfo: readonly { readonly type: string; readonly id: number }[];
}

const used = (pid: number): number => {
  try {
    return cpuMicros(pid);
  } catch {
    // It has ended meanwhile.
    return 0;
  }
};

/** Reads what the processes of a browser have used; the renderer is the busiest one of its pages. */
export const watchBrowser = async (browser: Browser): Promise<() => Promise<BrowserUse>> => {
  const session = await browser.newBrowserCDPSession();
  return async () => {
    const { processInfo }: ProcessInfo = await session.send('SystemInfo.getProcessInfo');
    const all = processInfo.map(({ type, id }) => ({ type, id, cpu: used(id) }));
    const [renderer] = all.filter(({ type }) => type === 'renderer').toSorted((a, b) => b.cpu - a.cpu);
    return {
      renderer: renderer?.cpu ?? 0,
      others: all.reduce((sum, { cpu }) => sum + cpu, 0) - (renderer?.cpu ?? 0),
      megabytes: renderer === undefined ? Number.NaN : residentMb(renderer.id),
    };
  };
};

/** Reads how many megabytes a page's live objects take. */
export const watchHeap = async (page: Page): Promise<() => Promise<number>> => {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.enable');
  await session.send('Runtime.enable');
  return async () => {
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    return usedSize / 1024 / 1024;
  };
};
