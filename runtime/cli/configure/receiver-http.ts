import type { SinkHttp } from '../../../plugins/sdk/sink/sink.ts';
import { Deadlines } from '../../async/deadlines.ts';
import { sinkHttp } from '../../engine/guardrail-checks/sink-http.ts';
import { systemClock } from '../../in-memory/system-clock.ts';
import type { Upstreams } from '../../ports/upstreams.ts';

/** The default wait for an answer, in milliseconds. */
const sendMs = 10_000;

/** Sends requests to the receivers of alerts, in the same way as those of sinks. */
export const receiverHttp = (upstreams: Upstreams): SinkHttp =>
  sinkHttp({ upstreams, deadlines: new Deadlines(systemClock), sendMs });
