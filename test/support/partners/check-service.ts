import type { CheckAnswer, CheckRequest } from '../../../plugins/sdk/guardrail/guardrail.ts';
import type { PartnerStub } from './partner-stub.ts';

/** A partner's service for the guardrail testkit. `requests` contains everything that was sent to it. */
export interface CheckService {
  readonly requests: CheckRequest[];
  readonly service: (request: CheckRequest) => CheckAnswer;
}

/** Creates the service from a partner's stub, at its public origins. */
export const checkService = (stub: PartnerStub): CheckService => {
  const requests: CheckRequest[] = [];
  return {
    requests,
    service: (request) => {
      requests.push(request);
      const { origin, host, pathname, search } = new URL(request.url);
      if (!stub.origins.includes(origin)) throw new Error(`No service is at ${origin}.`);
      const headers = new Map(
        Object.entries({ host, 'content-type': 'application/json', ...request.headers }).map(([name, value]) => [
          name.toLowerCase(),
          value,
        ]),
      );
      const answer = stub.answer({
        method: request.method ?? 'POST',
        path: `${pathname}${search}`,
        header: (name) => headers.get(name),
        text: request.body ?? '',
        now: 0,
      });
      return {
        status: answer.status,
        headers: Object.entries(answer.headers ?? {}).flat(),
        text: JSON.stringify(answer.body),
      };
    },
  };
};
