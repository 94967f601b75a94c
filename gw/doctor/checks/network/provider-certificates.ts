import { readCertificates } from '../../../../plugins/sdk/http/read-pem.ts';
import { systemClock } from '../../../../runtime/in-memory/system-clock.ts';
import type { SecretRef } from '../../../../schema/plan/plan.ts';
import type { Check, Finding } from '../../set-up/finding.ts';
import type { SetUp } from '../../set-up/set-up.ts';
import { renewalMs } from '../../set-up/soon-over.ts';

interface Named {
  readonly where: string;
  readonly ref: string;
}

const listCertificates = ({ settings }: SetUp): readonly Named[] => [
  ...(settings.trusted_authorities === undefined
    ? []
    : [{ where: '"trusted_authorities"', ref: settings.trusted_authorities }]),
  ...(['providers', 'virtual_keys'] as const).flatMap((list) =>
    Object.entries(settings[list] ?? {}).flatMap(([name, { tls = {} }]) =>
      (['ca', 'cert'] as const).flatMap((member) =>
        tls[member] === undefined ? [] : [{ where: `"${list}.${name}.tls.${member}"`, ref: tls[member] }],
      ),
    ),
  ),
];

const certificateFindings = ({ where, ref }: Named, { secrets }: SetUp): readonly Finding[] => {
  // The schema of the gateway file has checked that it is a reference.
  const ends = (readCertificates(secrets(ref as SecretRef) ?? '') ?? []).map(({ validTo }) => Date.parse(validTo));
  const end = Math.min(...ends);
  const left = end - systemClock.wall();
  if (ends.length === 0 || left > renewalMs) return [];
  const isOver = left <= 0;
  return [
    {
      severity: isOver ? 'error' : 'warning',
      subject: where,
      what: `A certificate of ${ref} ${isOver ? 'ended' : 'ends'} on ${new Date(end).toISOString().slice(0, 10)}.`,
      remedy: 'Have it renewed, and put the new one in its place: the gateway uses it for new connections.',
    },
  ];
};

export const providerCertificates: Check = {
  id: 'provider-certificates',
  description: 'the certificates that the gateway file names: whether they have expired, or will soon',
  run: (setUp) => listCertificates(setUp).flatMap((named) => certificateFindings(named, setUp)),
};
