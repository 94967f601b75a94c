import { stat } from 'node:fs/promises';
import { toLogSettings } from '../../../../plugins/control/logs/settings/log-settings.ts';
import { toLogFile } from '../../../../plugins/control/logs/writer/open-log-store.ts';
import type { Check, Finding } from '../../set-up/finding.ts';
import { storeUrlIfRight } from './find-store.ts';

const megabyte = 1024 * 1024;
/** The share of its limit from which the log is reported. */
const nearShare = 0.9;

const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  );

export const logSize: Check = {
  id: 'log-size',
  description: 'the request log: whether it is near the size at which its oldest records are removed',
  async run(setUp): Promise<readonly Finding[]> {
    const at = storeUrlIfRight(setUp);
    const { log = true } = setUp.settings;
    if (at?.kind !== 'sqlite' || log === false) return [];
    const file = toLogFile(at.file);
    const { keepMb, keepDays } = toLogSettings(log === true ? {} : log);
    const bytes = await sizeOf(file);
    if (bytes < keepMb * megabyte * nearShare) return [];
    return [
      {
        severity: 'warning',
        subject: file,
        what: `The log has ${Math.round(bytes / megabyte)} MB, of the ${keepMb} that it may have: its oldest records go before they are ${keepDays} days old.`,
        remedy: 'Raise "log.keep_mb" in the gateway file, or lower "log.keep_days" to what you need.',
      },
    ];
  },
};
