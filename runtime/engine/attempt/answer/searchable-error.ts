import { withoutNames } from '../../../../plugins/sdk/http/header-lines.ts';
import type { UpstreamAnswer } from '../../../../plugins/sdk/http/http.ts';
import { findEncoding, isDecodable } from '../../../json-bodies/read/decoder-for.ts';
import { DecodedBody } from '../../call/decoded-body.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import { calledWith, hiddenCredential } from '../../target/hidden-credential.ts';

type Answered = Extract<UpstreamAnswer, { kind: 'answer' }>;

const hasBody = ({ exchange }: LeafCall, { status }: Answered): boolean =>
  exchange.request.method !== 'HEAD' && status !== 304;

/**
 * Makes a passed-through error searchable for the credential that its upstream was called with. Otherwise a client that asks for
 * an encoded answer would receive what is hidden from all others. Every client can read a body without an encoding (RFC 9110
 * §12.5.3).
 */
export const searchableError = (call: LeafCall, answer: Answered): Answered => {
  const { status, headers, body } = answer;
  if (status < 300 || !hasBody(call, answer) || hiddenCredential(calledWith(call)) === null) return answer;
  const encoding = findEncoding(headers);
  if (!isDecodable(encoding)) return answer;
  return {
    ...answer,
    headers: withoutNames(headers, ['content-encoding', 'content-length']),
    body: new DecodedBody(body, encoding, call.target.provider.id),
  };
};
