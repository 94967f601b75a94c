import { CommandFailure } from '../command-line/command-failure.ts';
import { RefusalError } from './api-refusal.ts';
import { askGateway } from './ask-gateway.ts';
import type { GatewayAccess } from './gateway-access.ts';

/** Ends a command for which there is no control plane. */
export class NoControlPlane extends CommandFailure {
  constructor(base: string) {
    super(
      `There is no control plane at ${base}.`,
      'Start the gateway with a store (gw serve --store FILE), or correct --url or GW_URL.',
      1,
    );
  }
}

/** What every control plane answers to a request for its keys that has none: the status, and the code of its error. */
const refusal = { status: 401, code: 'AB05' };

/** Whether an error says nothing of what answers there: it is unavailable, or has too much to do. */
const isPassing = (status: number): boolean => status === 429 || status >= 500;

/**
 * A gateway that was seen to have a control plane: only there are service keys and other secrets sent, and only its answers
 * are believed. A provider, or a gateway that passes the request on to one, may answer anything with 200.
 */
export class ControlPlane {
  readonly access: GatewayAccess;

  private constructor(access: GatewayAccess) {
    this.access = access;
  }

  /**
   * Looks without sending anything secret. Rejects with a `NoControlPlane`, with a `RefusalError` where the gateway cannot
   * answer at the moment, and with a `CommandFailure` where it cannot be asked.
   */
  static async find(access: GatewayAccess): Promise<ControlPlane> {
    const request = { method: 'GET', path: '/api-keys' };
    const stranger = { base: access.base, key: undefined, workspace: undefined };
    const seen = await askGateway(stranger, {
      request,
      read: async (answer) => {
        await answer.body?.cancel();
        return false;
      },
    }).catch((error: unknown) => {
      if (!(error instanceof RefusalError)) throw error;
      const { status, code } = error.refusal;
      if (isPassing(status)) throw error;
      return status === refusal.status && code === refusal.code;
    });
    if (!seen) throw new NoControlPlane(access.base);
    return new ControlPlane(access);
  }
}
