import type { FramingId } from '../../../plugins/sdk/http/framing-id.ts';
import type { LeafCall } from './leaf-call.ts';

/** Returns the framing that the client asked for, or that of its dialect. */
export const clientFraming = ({ exchange, dialect }: Pick<LeafCall, 'exchange' | 'dialect'>): FramingId =>
  exchange.route.framing ?? dialect?.framing ?? 'sse';
