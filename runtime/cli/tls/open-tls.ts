import { fileFingerprint } from '../../files/fingerprint.ts';
import { poll } from '../../files/poll.ts';
import type { Clock } from '../../ports/clock.ts';
import type { OpenTransport } from '../../server/node-http/transport.ts';
import { tlsTransport } from '../../server/tls/tls-transport.ts';
import type { ServeIo } from '../services/serve-services.ts';
import { ServeFailure } from '../settings/serve-failure.ts';
import {
  findTimeProblem,
  listTlsFiles,
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
  /** Follows the files of the certificate; returns a function that stops it. */
  follow(): () => void;
}

const isSame = ({ context: a }: ReadTls, { context: b }: ReadTls): boolean =>
  a.cert === b.cert && a.key === b.key && a.ca === b.ca;

/**
 * Reads the certificate of the listener. Each second its files are looked at, and with SIGHUP: new connections get what is in them
 * once it is whole and two looks have found the same. What cannot be used is reported once, and the one before is kept. Throws
 * a `ServeFailure` for a certificate that cannot be used at the start.
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
  const problem = findTimeProblem(current, clock.wall());
  if (problem !== undefined) say(problem);
  const transport = tlsTransport({
    context: current.context,
    clients: settings.client_ca === undefined ? 'none' : (settings.client_certificates ?? 'require'),
  });
  const files = listTlsFiles(settings, place);
  const fingerprint = async (): Promise<string> => {
    const each: string[] = [];
    for (const file of files) each.push(await fileFingerprint(file));
    return each.join('\n');
  };

  const keep = (reason: string): void =>
    say(
      `${reason} Connections are served with the certificate before, which is valid until ${current.certificate.validTo}.`,
    );

  const renew = (): void => {
    let next: ReadTls;
    try {
      next = read();
    } catch (error) {
      if (!(error instanceof TlsError)) throw error;
      keep(error.message);
      return;
    }
    if (isSame(next, current)) return;
    const late = findTimeProblem(next, clock.wall());
    if (late !== undefined && findTimeProblem(current, clock.wall()) === undefined) {
      keep(late);
      return;
    }
    transport.renew(next.context);
    current = next;
    const { validTo } = next.certificate;
    say(`New connections are served with the certificate that is now in ${next.named}; it is valid until ${validTo}.`);
  };

  return {
    open: transport.open,
    follow: () => {
      /** Of the files as they were last read, and last seen. */
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
