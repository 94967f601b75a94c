import type { SinkHttp } from '../../../plugins/sdk/sink/sink.ts';
import { Deadlines } from '../../async/deadlines.ts';
import { sinkHttp } from '../../engine/checks/sink-http.ts';
import { systemClock } from '../../memory/system-clock.ts';
import type { Upstreams } from '../../ports/upstreams.ts';

/** For how long an answer is waited for where a request does not say, in milliseconds. */
const sendMs = 10_000;

/** Requests to the receivers of alerts, which take the same way out as those of sinks. */
export const receiverHttp = (upstreams: Upstreams): SinkHttp =>
  sinkHttp({ upstreams, deadlines: new Deadlines(systemClock), sendMs });
