import { ServeFailure } from '../../../../runtime/cli/settings/serve-failure.ts';
import { telemetrySettings } from '../../../../runtime/cli/settings/telemetry-settings.ts';
import { connectError } from '../../set-up/connect-error.ts';
import { type Check, type Finding, splitAdvice } from '../../set-up/finding.ts';
import type { SetUp } from '../../set-up/set-up.ts';

const exporterFindings = async ({ settings, secrets, timeoutMs }: SetUp): Promise<readonly Finding[]> => {
  const wanted = telemetrySettings(settings, secrets);
  if (wanted === undefined) return [];
  const url = new URL(wanted.url);
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const code = await connectError({ host: url.hostname.replace(/^\[|\]$/g, ''), port }, timeoutMs);
  if (code === undefined) return [];
  return [
    {
      severity: 'warning',
      subject: '"telemetry.otlp.url"',
      what: `The receiver of traces and metrics at ${url.host} cannot be reached (${code}); what is sent to it is lost.`,
      remedy: 'Start the receiver, or correct "telemetry.otlp.url" in the gateway file.',
    },
  ];
};

export const telemetry: Check = {
  id: 'telemetry',
  description: 'the receiver of traces and metrics: whether it can be reached',
  needsNetwork: true,
  async run(setUp) {
    try {
      return await exporterFindings(setUp);
    } catch (error) {
      if (!(error instanceof ServeFailure)) throw error;
      // A reference without a value is reported by the check of secrets.
      if (error.message.includes('which is not set')) return [];
      return [{ severity: 'error', subject: '"telemetry"', ...splitAdvice(error.message) }];
    }
  },
};
