import { totalmem } from 'node:os';
import { defaultLimits } from '../../../../runtime/server/limits.ts';
import type { Check, Finding } from '../../set-up/finding.ts';

const megabyte = 1024 * 1024;
/** A gateway under load, without the bodies that it holds. */
const baseBytes = 256 * megabyte;

const inMb = (bytes: number): string => `${Math.round(bytes / megabyte)} MB`;

/** Judges the memory that a process may have by the bodies that it may hold. */
const memoryFindings = (available: number, isLimit: boolean, bodiesBytes: number): readonly Finding[] => {
  const needed = baseBytes + bodiesBytes;
  if (available >= needed) return [];
  return [
    {
      severity: 'warning',
      subject: 'memory',
      what: `${isLimit ? 'The memory of this process is limited to' : 'This machine has'} ${inMb(available)}, and bodies alone may take ${inMb(bodiesBytes)} (limits.bodies_bytes): under load the process may be ended.`,
      remedy: `Give it ${inMb(needed)} or more, or lower "limits.bodies_bytes" in the gateway file.`,
    },
  ];
};

export const memory: Check = {
  id: 'memory',
  looksAt: 'the memory limit of the container, or that of the machine, and the bodies that may be held in it',
  run({ settings }) {
    const total = totalmem();
    // Without a limit this is 0, or a number beyond any machine.
    const limit = process.constrainedMemory();
    const isLimit = limit > 0 && limit < total;
    const bodies = settings.limits?.bodies_bytes ?? defaultLimits.bodiesBytes;
    return memoryFindings(isLimit ? limit : total, isLimit, bodies);
  },
};
