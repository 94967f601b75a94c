import type { StreamStage } from '../../plugins/sdk/hooks.ts';
import { createStageChain } from './stage-chain.ts';
import type { RelayStep, StreamRelay } from './stream-relay.ts';

/** A relay whose bytes pass through stages. An error event bypasses them, and what they hold back then is dropped. */
export const stagedRelay = (relay: StreamRelay, stages: readonly StreamStage[]): StreamRelay => {
  const chain = createStageChain(stages);
  return {
    get opened() {
      return relay.opened;
    },
    get isClosed() {
      return relay.isClosed;
    },
    get heldBytes() {
      return relay.heldBytes;
    },
    push: (chunk) => {
      const step = relay.push(chunk);
      return { ...step, bytes: chain.push(step.bytes) };
    },
    finish: (): RelayStep => {
      const step = relay.finish();
      const bytes = chain.push(step.bytes);
      return step.broken === undefined ? { bytes: Buffer.concat([bytes, chain.end()]) } : { ...step, bytes };
    },
    fail: (report) => relay.fail(report),
  };
};
