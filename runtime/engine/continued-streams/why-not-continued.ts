import { toBuffer } from '../../../plugins/sdk/http/to-buffer.ts';
import { mustBufferStreams } from '../../../schema/plan/may-ask-for-retry.ts';
import type { WhyNotContinued } from '../../../schema/trail/trail.ts';
import { findJsonObject } from '../../json-bodies/read/find-json-object.ts';
import type { StreamSource } from '../call/stream-source.ts';
import { upstreamDialect } from '../target/upstream-dialect.ts';
import { fixedForm } from './fixed-form.ts';

/** Returns why the answer to a request, as sent to its provider, may not continue elsewhere. Undefined if it may. */
export const whyNotContinued = ({ outgoing, restores, leaf }: StreamSource): WhyNotContinued | undefined => {
  if (restores || mustBufferStreams(leaf)) return 'checks';
  const body = outgoing?.request.body;
  const translation = outgoing?.translation;
  if (body?.kind !== 'bytes' || translation === undefined) return 'unreadable';
  const { conversation: codec } = upstreamDialect(translation);
  const sent = findJsonObject(toBuffer(body.bytes));
  if (codec === undefined || sent === undefined) return 'unreadable';
  return fixedForm(codec.decodeRequest(sent, { scope: '', stream: true }));
};
