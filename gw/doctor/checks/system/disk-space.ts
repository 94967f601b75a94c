import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { toLogSettings } from '../../../../plugins/control/logs/settings/log-settings.ts';
import { defaultLimits } from '../../../../runtime/server/limits.ts';
import type { Check, Finding } from '../../set-up/finding.ts';
import { besideFile, type SetUp } from '../../set-up/set-up.ts';
import { storeUrlIfRight } from '../store/find-store.ts';

const megabyte = 1024 * 1024;
/** A disk with less free space counts as full. */
const fullBytes = 64 * megabyte;

interface Place {
  readonly folder: string;
  /** The maximum that the gateway writes there, and the settings that limit it. */
  readonly bytes: number;
  readonly bounds: string;
}

const listPlaces = (setUp: SetUp): readonly Place[] => {
  const { settings } = setUp;
  const { spool_dir, limits, log = true, store: { ledger = true } = {} } = settings;
  const at = storeUrlIfRight(setUp);
  const logMb = log === false ? 0 : toLogSettings(log === true ? {} : log).keepMb;
  const ledgerMb = ledger === false ? 0 : ledger === true ? 8192 : (ledger.keep_mb ?? 8192);
  return [
    ...(spool_dir === undefined
      ? []
      : [
          {
            folder: besideFile(setUp, spool_dir),
            bytes: limits?.forms_bytes ?? defaultLimits.formsBytes,
            bounds: '"limits.forms_bytes"',
          },
        ]),
    ...(at?.kind !== 'sqlite'
      ? []
      : [
          {
            folder: path.dirname(at.file),
            bytes: (logMb + ledgerMb) * megabyte,
            bounds: '"log.keep_mb" and "store.ledger.keep_mb"',
          },
        ]),
  ];
};

const inMb = (bytes: number): string => `${Math.floor(bytes / megabyte)} MB`;

/** Checks the free space of a folder. */
const spaceFindings = (free: number, { folder, bytes, bounds }: Place): readonly Finding[] => {
  if (free >= bytes) return [];
  return [
    {
      severity: free < fullBytes ? 'error' : 'warning',
      subject: folder,
      what: `The disk of ${folder} has ${inMb(free)} left, and ${bounds} allow the gateway ${inMb(bytes)} there.`,
      remedy: `Make room, or lower ${bounds} in the gateway file.`,
    },
  ];
};

export const diskSpace: Check = {
  id: 'disk-space',
  description: 'the free space on the disks of spool, store and log, and the limits of what is written there',
  run: async (setUp) => {
    const findings = listPlaces(setUp).map(async (place) => {
      // A folder that does not exist is reported by another check.
      const found = await statfs(place.folder).catch(() => undefined);
      return found === undefined ? [] : spaceFindings(found.bavail * found.bsize, place);
    });
    return (await Promise.all(findings)).flat();
  },
};
