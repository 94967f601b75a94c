import { once } from 'node:events';
import { createServer } from 'node:net';
import {
  listenFailure,
  metricsClash,
  metricsListenFailure,
  ServeFailure,
} from '../../../../runtime/cli/settings/serve-failure.ts';
import { metricsSettings } from '../../../../runtime/cli/settings/telemetry-settings.ts';
import { type Check, type Finding, splitAdvice } from '../../set-up/finding.ts';

interface Place {
  readonly host: string;
  readonly port: number;
}

type ToFailure = (error: unknown, place: Place) => ServeFailure;

/** Listens for a moment, as the gateway would. */
const tryListen = async ({ host, port }: Place, toFailure: ToFailure): Promise<readonly Finding[]> => {
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
    return [];
  } catch (error) {
    try {
      throw toFailure(error, { host, port });
    } catch (failure) {
      const what = failure instanceof ServeFailure ? splitAdvice(failure.message) : undefined;
      const unknown = { what: `The gateway cannot listen there: ${String(error)}.`, remedy: 'Choose another address.' };
      return [{ severity: 'error', subject: `${host}:${port}`, ...(what ?? unknown) }];
    }
  } finally {
    server.close();
  }
};

export const listenAddress: Check = {
  id: 'listen-address',
  description:
    'the address and the port of the gateway and of its metrics: in use, not permitted, or not an address of this machine',
  async run(setUp) {
    const { address, settings, timeoutMs } = setUp;
    const subject = `${address.host}:${address.port}`;
    const gateway = await setUp.gateway();
    if (gateway === 'silent')
      return [
        {
          severity: 'error',
          subject,
          what: `A server there does not answer GET /livez within ${timeoutMs} ms: a gateway that is busy or stopped, or another program.`,
          remedy:
            'If it is this gateway, set a higher --timeout-ms, or find out why it does not answer. Otherwise end that program or choose another port.',
        },
      ];
    if (gateway === 'answers')
      return [
        {
          severity: 'note',
          subject,
          what: 'A gateway answers there already. It is assumed to belong to this set-up, so its port and its store are not checked.',
          remedy: 'Stop it to have them tried as well.',
        },
      ];
    const metrics = metricsSettings(settings)?.own;
    if (metrics === undefined) return tryListen(address, listenFailure);
    const clash = metricsClash(metrics, address);
    if (clash !== undefined) return [{ severity: 'error', subject: 'metrics.port', ...splitAdvice(clash.message) }];
    const found = [tryListen(address, listenFailure), tryListen(metrics, metricsListenFailure)];
    return (await Promise.all(found)).flat();
  },
};
