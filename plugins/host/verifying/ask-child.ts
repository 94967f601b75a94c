import { ownModule } from '../../sdk/loading/own-module.ts';
import { startProcess } from '../isolation/spawning/start-process.ts';
import type { VerifyRequest } from './child.ts';
import { type ChildReport, faultReport, readReport } from './read-report.ts';

const memoryMb = 512;
const longestReport = 4 * 1024 * 1024;

/** The limits of the process. */
export interface ChildBounds {
  /** The paths that it may read. */
  readonly readable: readonly string[];
  readonly longestMs: number;
}

/** Asks a separate process. */
export const askChild = async (request: VerifyRequest, { readable, longestMs }: ChildBounds): Promise<ChildReport> => {
  const { promise, resolve } = Promise.withResolvers<ChildReport>();
  const printed: string[] = [];
  const child = startProcess({
    main: ownModule('plugins/host/verifying/child'),
    environment: {},
    readable,
    memoryMb,
    longestLine: () => longestReport,
    receive: (message) => resolve(readReport(message)),
    printed: (line) => void printed.push(line),
    ended: (why) => resolve(faultReport(`It cannot be verified: ${[why, ...printed.slice(0, 20)].join('\n    ')}.`)),
  });
  // The timer continues until the process has ended, because the process does not keep this one running.
  const timer = setInterval(() => child.kill(`it did not finish within ${longestMs / 1000} seconds`), longestMs);
  child.channel.send(request);
  try {
    return await promise;
  } finally {
    clearInterval(timer);
    child.kill('it is done');
  }
};
