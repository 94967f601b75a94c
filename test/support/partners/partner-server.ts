import { startUpstream, type TestUpstream } from '../servers/upstream-server.ts';
import type { PartnerStub } from './partner-stub.ts';

/** Starts a partner's service on a loopback port. */
export const startPartner = (stub: PartnerStub): Promise<TestUpstream> =>
  startUpstream((call) => {
    const { request } = call;
    const {
      status,
      headers = {},
      body,
    } = stub.answer({
      method: request.method,
      path: request.path,
      header: (name) => request.header(name),
      text: request.text(),
      now: Date.now(),
    });
    call.json(body, { status, headers });
  });
