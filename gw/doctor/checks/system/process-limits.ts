import { readFileSync } from 'node:fs';
import type { Check, Finding } from '../../set-up/finding.ts';

/** A request needs a connection to its client and one to its provider; a stream needs them for as long as it lasts. */
const perRequest = 2;
const wantedFiles = 4096;
const fewFiles = 512;
/** The threads of the gateway and of Node, those of a store, and the processes of isolated plugins. */
const wantedTasks = 256;

export interface ProcessLimits {
  /** Undefined if there is none, or if the system does not report it. */
  readonly files?: number | undefined;
  readonly tasks?: number | undefined;
}

/** Parses the soft limits of `/proc/self/limits`. */
export const readLimits = (text: string): ProcessLimits => {
  const find = (name: string): number | undefined => {
    const [, soft] = new RegExp(`^${name} +(\\d+|unlimited)`, 'm').exec(text) ?? [];
    return soft === undefined || soft === 'unlimited' ? undefined : Number(soft);
  };
  return { files: find('Max open files'), tasks: find('Max processes') };
};

/** Checks limits. If `isRoot` is set, the limit of processes does not apply to the user. */
export const limitFindings = ({ files, tasks }: ProcessLimits, isRoot: boolean): readonly Finding[] => [
  ...(files === undefined || files >= wantedFiles
    ? []
    : [
        {
          severity: files < fewFiles ? ('error' as const) : ('warning' as const),
          subject: 'open files',
          what: `This process may have ${files} open files, which is about ${Math.floor(files / perRequest)} requests at a time.`,
          remedy:
            'Allow 65536: "LimitNOFILE=65536" in a unit of systemd, --ulimit nofile=65536 for Docker, or ulimit -n 65536.',
        },
      ]),
  ...(isRoot || tasks === undefined || tasks >= wantedTasks
    ? []
    : [
        {
          severity: 'warning' as const,
          subject: 'processes',
          what: `This user may have ${tasks} processes and threads; threads of the store and processes of isolated plugins may not start.`,
          remedy: `Allow at least ${wantedTasks}: "LimitNPROC=" or "TasksMax=" in a unit of systemd, or ulimit -u.`,
        },
      ]),
];

export const processLimits: Check = {
  id: 'process-limits',
  description: 'the limits of the process: open files, and processes of its user',
  needsNoFile: true,
  run() {
    if (process.platform !== 'linux') return [];
    return limitFindings(readLimits(readFileSync('/proc/self/limits', 'utf8')), process.getuid?.() === 0);
  },
};
