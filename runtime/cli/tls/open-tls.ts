import type { Clock } from '../../ports/clock.ts';
import { sparseLog } from '../../server/logs/sparse-log.ts';
import type { OpenTransport } from '../../server/node-http/transport.ts';
import { tlsTransport } from '../../server/tls/tls-transport.ts';
import { certificateReasons } from '../../upstream/network-report.ts';
import { fileFingerprint } from '../../watched-files/fingerprint.ts';
import { poll } from '../../watched-files/poll.ts';
import type { ServeIo } from '../services/serve-services.ts';
import { ServeFailure } from '../settings/serve-failure.ts';
import {
  findAuthorityProblems,
  findTimeProblem,
  listTlsFiles,
  type ReadCertificate,
  type ReadTls,
  readTls,
  TlsError,
  type TlsPlace,
  type TlsSettings,
} from './read-tls.ts';

const pollMs = 1000;

export interface OpenTlsOptions {
  readonly settings: TlsSettings;
  readonly place: TlsPlace;
  readonly io: Pick<ServeIo, 'stderr' | 'onSignal'>;
  readonly clock: Clock;
}

export interface ListenerTls {
  readonly open: OpenTransport;
  /** Follows the files of the certificate. Returns a function that stops this. */
  follow(): () => void;
}

const isSame = ({ context: a }: ReadCertificate, { context: b }: ReadCertificate): boolean =>
  a.cert === b.cert && a.key === b.key && a.ca === b.ca;

/** Returns the first problem with the validity period of certificates, ignoring those that had one before. */
const findLate = (read: ReadTls, now: number, before?: ReadTls): string | undefined => {
  for (const [at, each] of read.entries()) {
    const problem = findTimeProblem(each, now);
    const own = before?.[at];
    if (problem !== undefined && (own === undefined || findTimeProblem(own, now) === undefined)) return problem;
  }
  return undefined;
};

/**
 * Reads the certificate of the listener. Its files are checked every second, and on SIGHUP. New connections use their contents
 * once these are complete and two checks have found the same. What cannot be used is reported once, and the previous certificate
 * is kept. Throws a `ServeFailure` if the certificate cannot be used at startup.
 */
export const openTls = ({ settings, place, io, clock }: OpenTlsOptions): ListenerTls => {
  const read = (): ReadTls => readTls(settings, place);
  const say = (text: string): void => io.stderr(`gw: ${text}\n`);
  let current: ReadTls;
  try {
    current = read();
  } catch (error) {
    if (!(error instanceof TlsError)) throw error;
    throw new ServeFailure(error.message);
  }
  for (const each of current) {
    const problem = findTimeProblem(each, clock.wall());
    if (problem !== undefined) say(problem);
  }
  const sayAuthorities = (): void => {
    for (const problem of findAuthorityProblems(settings, place, clock.wall())) say(problem);
  };
  sayAuthorities();
  const sayRefused = sparseLog(clock, say);
  const transport = tlsTransport({
    certificates: current,
    onBadCertificate: (code) =>
      sayRefused(
        `A client was disconnected because ${certificateReasons[code] ?? `its certificate was refused (${code})`}. Issue it a certificate from one of the authorities in "listen.tls.client_ca".`,
      ),
    clients: settings.client_ca === undefined ? 'none' : (settings.client_certificates ?? 'require'),
  });
  const files = listTlsFiles(settings, place);
  const fingerprint = async (): Promise<string> => {
    const each: string[] = [];
    for (const file of files) each.push(await fileFingerprint(file));
    return each.join('\n');
  };

  const keep = (reason: string): void => {
    const [{ certificate }, ...others] = current;
    const before =
      others.length === 0
        ? `the previous certificate, which is valid until ${certificate.validTo}`
        : 'the previous certificates';
    say(`${reason} Connections still use ${before}.`);
  };

  const renew = (): void => {
    let next: ReadTls;
    try {
      next = read();
    } catch (error) {
      if (!(error instanceof TlsError)) throw error;
      keep(error.message);
      return;
    }
    const before = current;
    // The settings were read once, so they name as many certificates as before.
    const changed = next.filter((each, at) => !isSame(each, before[at] ?? before[0]));
    if (changed.length === 0) return;
    const late = findLate(next, clock.wall(), before);
    if (late !== undefined) {
      keep(late);
      return;
    }
    transport.renew(next);
    current = next;
    for (const { named, certificate } of changed)
      say(`New connections use the certificate that is now in ${named}. It is valid until ${certificate.validTo}.`);
    sayAuthorities();
  };

  return {
    open: transport.open,
    follow: () => {
      /** The state of the files when they were last read, and last seen. */
      let settled: string | undefined;
      let seen: string | undefined;
      let isAsked = false;
      const looks = poll({
        clock,
        everyMs: pollMs,
        look: async () => {
          const now = await fingerprint();
          const isStable = now === seen;
          seen = now;
          const asked = isAsked;
          isAsked = false;
          if (!asked && (now === settled || !isStable)) return;
          settled = now;
          renew();
        },
      });
      const stopSignals = io.onSignal((signal) => {
        if (signal !== 'SIGHUP') return;
        isAsked = true;
        looks.now();
      });
      return () => {
        stopSignals();
        looks.stop();
      };
    },
  };
};
