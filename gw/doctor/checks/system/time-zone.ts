import type { Check, Finding } from '../../set-up/finding.ts';

const isKnown = (timeZone: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
};

export const timeZone: Check = {
  id: 'time-zone',
  description: 'the time zone of the environment: whether Node knows it',
  needsNoFile: true,
  run({ env: { TZ: zone } }): readonly Finding[] {
    // A path or a POSIX rule is not one of the names that Node reads.
    if (!zone || isKnown(zone.replace(/^:/, ''))) return [];
    return [
      {
        severity: 'warning',
        subject: 'TZ',
        what: `Node does not know the time zone "${zone}", and takes UTC in its place.`,
        remedy: 'Set TZ to a name such as Europe/Vienna, or unset it. Limits are in UTC in any case.',
      },
    ];
  },
};
