import type { Check, Finding } from '../../set-up/finding.ts';

/** Signatures of clouds and tokens are refused from a few minutes on, and short-lived tokens sooner. */
const allowedMs = 60_000;

const described = (ms: number): string => {
  const seconds = Math.round(Math.abs(ms) / 1000);
  return seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
};

export const clock: Check = {
  id: 'clock',
  looksAt: 'the clock of this machine, compared with the `Date` of the providers that answer',
  asksOutside: true,
  async run(setUp): Promise<readonly Finding[]> {
    const probes = await setUp.probes().catch(() => []);
    const apart = probes.flatMap(({ host, answer }) =>
      answer.kind === 'answer' && Number.isFinite(answer.clockMs) ? [{ host, ms: answer.clockMs }] : [],
    );
    const wrong = apart.filter(({ ms }) => Math.abs(ms) > allowedMs);
    if (wrong.length === 0) return [];
    const [first] = wrong;
    if (first === undefined) return [];
    const all = wrong.length === apart.length;
    return [
      {
        severity: 'warning',
        subject: 'clock',
        what: `The clock of this machine is ${described(first.ms)} ${first.ms > 0 ? 'ahead of' : 'behind'} that of ${wrong.map(({ host }) => host).join(', ')}: signatures and tokens may be refused, and limits end at other times.`,
        remedy: all
          ? 'Set the clock, and keep it right with NTP (timedatectl set-ntp true).'
          : 'Other providers agree with this machine: look at the clock of that host first.',
      },
    ];
  },
};
