import { isTrusted } from '../../../../schema/http/is-trusted.ts';
import { errorText } from '../../../../schema/text/error-text.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { CheckHttp } from '../../../sdk/guardrail/guardrail.ts';
import type { Cancellation } from '../../../sdk/http/http.ts';
import type { HostMessage } from './protocol.ts';
import { readRequest } from './read-message.ts';

/** The maximum number of concurrent requests of one call. */
const maxRequests = 16;

export interface HostRequestsOptions {
  readonly plugin: string;
  /** Returns the hosts that the plugin declares. */
  readonly hosts: () => readonly string[];
  readonly send: (message: HostMessage) => void;
}

/** The call that a request belongs to. */
export interface RequestingCall {
  readonly http: CheckHttp;
  /** The tenant whose request the check judges. */
  readonly tenant: TenantId;
  /** Cancelled when the call ends. */
  readonly cancellation: Cancellation;
  requests: number;
}

/** Sends the requests of isolated checks, only to hosts that the plugin declares and according to the gateway's rules. */
export class HostRequests {
  readonly #options: HostRequestsOptions;

  constructor(options: HostRequestsOptions) {
    this.#options = options;
  }

  /** Sends the request and answers it under the number that its process assigned. Never rejects. */
  async answer(id: number, value: unknown, call: RequestingCall | undefined): Promise<void> {
    const { send } = this.#options;
    try {
      if (call === undefined) throw new Error('The call of the check that sends the request has ended.');
      if (call.requests >= maxRequests) throw new Error(`A call may send at most ${maxRequests} requests at a time.`);
      const request = readRequest(value);
      this.#checkHost(request.url);
      call.requests += 1;
      const { tenant, cancellation } = call;
      try {
        const { bytes, ...answer } = await call.http.send({ ...request, tenant, cancellation });
        const coded = bytes === undefined ? {} : { bytes: Buffer.from(bytes).toString('base64') };
        send({ kind: 'answer', id, answer: { ...answer, ...coded } });
      } finally {
        call.requests -= 1;
      }
    } catch (error) {
      send({ kind: 'no-answer', id, message: errorText(error) });
    }
  }

  #checkHost(url: string): void {
    const { hostname, port, protocol } = new URL(url);
    const plain = hostname.replace(/^\[(.*)\]$/, '$1');
    const address = { hostname: plain, port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port) };
    if (!isTrusted(this.#options.hosts(), address))
      throw new Error(
        `The plugin "${this.#options.plugin}" may not call ${hostname}, because it does not declare this host. Declare it: "permissions": { "hosts": [${JSON.stringify(hostname)}] }.`,
      );
  }
}
