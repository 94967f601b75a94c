import { clockRemedy, describeDifference, isOff } from '../../set-up/clock-difference.ts';
import type { Check, Finding } from '../../set-up/finding.ts';

export const clock: Check = {
  id: 'clock',
  description: 'the clock of this machine, compared with the `Date` header of the providers that answer',
  needsNetwork: true,
  async run(setUp): Promise<readonly Finding[]> {
    const probes = await setUp.probes().catch(() => []);
    const apart = probes.flatMap(({ host, answer }) =>
      answer.kind === 'answer' && Number.isFinite(answer.clockMs) ? [{ host, ms: answer.clockMs }] : [],
    );
    const wrong = apart.filter(({ ms }) => isOff(ms));
    if (wrong.length === 0) return [];
    const [first] = wrong;
    if (first === undefined) return [];
    const all = wrong.length === apart.length;
    return [
      {
        severity: 'warning',
        subject: 'clock',
        what: `The clock of this machine is ${describeDifference(first.ms)} that of ${wrong.map(({ host }) => host).join(', ')}: signatures and tokens may be refused, and limits end at other times.`,
        remedy: all ? clockRemedy : 'Other providers agree with this machine: look at the clock of that host first.',
      },
    ];
  },
};
