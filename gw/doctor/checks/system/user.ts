import type { Check, Finding } from '../../set-up/finding.ts';

/** Checks the user that the gateway runs as. */
const userFindings = (uid: number | undefined): readonly Finding[] =>
  uid === 0
    ? [
        {
          severity: 'warning',
          subject: 'user',
          what: 'The gateway runs as root, and needs no right that only root has.',
          remedy:
            'Run it as a user of its own: "User=" in a unit of systemd, --user 65532 for Docker, "runAsNonRoot" in Kubernetes.',
        },
      ]
    : [];

export const user: Check = {
  id: 'user',
  description: 'the user of the process: whether it is root',
  needsNoFile: true,
  run: () => userFindings(process.getuid?.()),
};
