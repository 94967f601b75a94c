import type { Generations, GenerationsStatus } from '../../file-plans/generations.ts';
import type { Finding } from '../../file-plans/load-files.ts';
import { systemClock } from '../../in-memory/system-clock.ts';
import { unreadableReason } from '../../watched-files/unreadable-reason.ts';
import { watchFolder } from '../../watched-files/watch-folder.ts';
import type { ServeServices } from '../services/serve-services.ts';
import type { ReferringFile } from '../settings/secret-place.ts';
import { reportDiagnostics } from './report-diagnostics.ts';

const diagnosticKey = ({ source, reason }: Finding): string =>
  JSON.stringify([source.file, 'text' in source ? source.text : source.unreadable, reason]);

/** Accepts only keys that the previous call did not have, because unreadable files are tried again every second. */
const newSinceLast = (): ((keys: readonly string[]) => (key: string) => boolean) => {
  let last: ReadonlySet<string> = new Set();
  return (keys) => {
    const before = last;
    last = new Set(keys);
    return (key) => !before.has(key);
  };
};

/** The plans that are reloaded: those of this process, or of several. */
export interface ReloadedGenerations extends Pick<Generations, 'folder' | 'reload'> {
  readonly current: Pick<Generations['current'], 'number'>;
  status(): Pick<GenerationsStatus, 'reason'>;
}

/**
 * Reloads the plans when their folder changes, and on SIGHUP, which also reads the secrets again. Findings are written to stderr
 * once. Plans that were valid stay in service. Returns a function that stops this.
 */
export const reloadOnChange = (
  generations: ReloadedGenerations,
  services: ServeServices,
  environment: ReferringFile,
): (() => void) => {
  const { io } = services;
  const { folder } = generations;
  if (folder === undefined) return () => {};
  const newDiagnostics = newSinceLast();
  const newLines = newSinceLast();
  let failed = false;
  let wasRefused = false;

  const reportAll = async (reported: readonly Finding[], isAsked: boolean): Promise<void> => {
    const isNew = newDiagnostics(reported.map(diagnosticKey));
    const shown = isAsked ? reported : reported.filter((finding) => isNew(diagnosticKey(finding)));
    if (await reportDiagnostics(shown, services, environment)) io.stderr('The last good configs stay in service.\n');
  };

  /** Reports that other plans are in service, or that no file is refused any more, even if the plans are the same as before. */
  const reportServed = (isSwapped: boolean, isRefused: boolean): void => {
    const isMended = wasRefused && !isRefused;
    wasRefused = isRefused;
    if (isMended) io.stderr(`The plans in ${folder} were reloaded. No file is refused any more.\n`);
    else if (isSwapped) io.stderr(`The plans in ${folder} were reloaded.\n`);
  };

  /** Returns false if something could not be read. */
  const load = async (relink: boolean, lines: string[]): Promise<boolean> => {
    const before = generations.current.number;
    try {
      const reported = await generations.reload({ relink });
      await reportAll(reported, relink);
      reportServed(
        failed || generations.current.number !== before,
        reported.some(({ reason }) => reason !== undefined),
      );
      failed = false;
      return reported.every(({ source }) => 'text' in source);
    } catch (error) {
      lines.push(
        `The folder ${folder} could not be read, so its plans stay in service unchanged. ${unreadableReason(error)}\n`,
      );
      failed = true;
      return false;
    }
  };

  const reloadNow = async (relink: boolean): Promise<boolean> => {
    const lines: string[] = [];
    const isWhole = await load(relink, lines);
    const { reason } = generations.status();
    if (reason !== undefined) lines.push(`${reason}\n`);
    const isNew = newLines(lines);
    for (const line of lines) if (relink || isNew(line)) io.stderr(line);
    return isWhole;
  };

  let last: Promise<unknown> = Promise.resolve();
  /** One after the other, so that none reports what another one has changed. */
  const reload = (relink: boolean): Promise<boolean> => {
    const isWhole = last.then(() => reloadNow(relink));
    last = isWhole.catch(() => {});
    return isWhole;
  };

  const watch = watchFolder({ folder, clock: systemClock, changed: () => reload(false) });
  const stopSignals = io.onSignal((signal) => {
    if (signal !== 'SIGHUP') return;
    watch.renew();
    void reload(true);
  });
  return () => {
    stopSignals();
    watch.stop();
  };
};
