import type { Browser, CDPSession, Page } from 'playwright-core';
import { cpuMicros, residentMb } from '../harness/measure.ts';

/** CPU time and memory of a browser's processes: those that render its pages, and all others. */
export interface BrowserUse {
  /** CPU time since the processes started, in microseconds. */
  readonly renderer: number;
  readonly others: number;
  /** Resident memory of the rendering process. */
  readonly megabytes: number;
}

interface ProcessInfo {
  readonly processInfo: readonly { readonly type: string; readonly id: number }[];
}

const used = (pid: number): number => {
  try {
    return cpuMicros(pid);
  } catch {
    // The process has exited meanwhile.
    return 0;
  }
};

/** Reads the resource usage of a browser's processes. The renderer is the busiest of the processes that render pages. */
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

/** Returns a function that reads how many megabytes a page's live objects take. */
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
