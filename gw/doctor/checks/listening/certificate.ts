import { dirname } from 'node:path';
import {
  findAuthorityProblems,
  findTimeProblem,
  type ReadCertificate,
  readTls,
  TlsError,
} from '../../../../runtime/cli/tls/read-tls.ts';
import { systemClock } from '../../../../runtime/in-memory/system-clock.ts';
import { type Check, type Finding, splitAdvice } from '../../set-up/finding.ts';
import { renewalMs } from '../../set-up/soon-over.ts';

const subject = 'listen.tls';

const timeFindings = (read: ReadCertificate, now: number): readonly Finding[] => {
  const problem = findTimeProblem(read, now);
  if (problem !== undefined) return [{ severity: 'error', subject, ...splitAdvice(problem) }];
  if (Date.parse(read.certificate.validTo) - now >= renewalMs) return [];
  return [
    {
      severity: 'warning',
      subject,
      what: `The certificate in ${read.named} expires on ${read.certificate.validTo}.`,
      remedy: 'Renew it, and see why that has not happened by itself. The gateway needs no restart.',
    },
  ];
};

export const certificate: Check = {
  id: 'certificate',
  description:
    'the certificates of the listener: files that are missing, not readable, or do not belong together; certificates that are expired, not yet valid, or expire soon; client authorities that are not valid',
  run({ settings, file = '', env }): readonly Finding[] {
    const { tls } = settings.listen ?? {};
    if (tls === undefined) return [];
    try {
      const now = systemClock.wall();
      const place = { folder: dirname(file), env };
      const findings = readTls(tls, place).flatMap((read) => timeFindings(read, now));
      const authorities = findAuthorityProblems(tls, place, now);
      return [
        ...findings,
        ...authorities.map((problem): Finding => ({ severity: 'warning', subject, ...splitAdvice(problem) })),
      ];
    } catch (error) {
      if (!(error instanceof TlsError)) throw error;
      return [{ severity: 'error', subject, ...splitAdvice(error.message) }];
    }
  },
};
