import type { Framing } from '../../../../plugins/sdk/framings/framing.ts';
import type { Credential } from '../../../../plugins/sdk/provider/provider.ts';
import type { HiddenInErrors } from '../../../streams/stream-gate.ts';
import { type HiddenCredential, hiddenCredential } from '../../target/hidden-credential.ts';

/** The same frames without the credential. Binary messages have checksums, so they are written anew. */
const hideInFrames = (bytes: Buffer, framing: Framing, hidden: HiddenCredential): Buffer => {
  const found = hidden.bytes(bytes);
  if (found === bytes) return bytes;
  if (framing.id !== 'aws-eventstream') return Buffer.from(found);
  const { frames } = framing.createSplitter().push(bytes);
  return framing.createWriter().write(frames.map((frame) => ({ ...frame, data: hidden.text(frame.data) })));
};

/**
 * Hides the credential that an upstream was called with in the errors that it reports inside a stream, as it is hidden in the
 * answers by which it refuses requests; undefined if there is nothing to hide.
 */
export const hiddenInErrors = (credential: Credential, framing: Framing): HiddenInErrors | undefined => {
  const hidden = hiddenCredential(credential);
  if (hidden === null) return undefined;
  return { text: (text) => hidden.text(text), frames: (bytes) => hideInFrames(bytes, framing, hidden) };
};
