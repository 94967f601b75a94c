import { createHmac } from 'node:crypto';
import type { CheckServices } from '../../../sdk/guardrail/guardrail.ts';
import { startTimer } from '../../../sdk/time/start-timer.ts';
import { type CallContext, callContext } from './call-context.ts';

const current = (): CallContext => {
  const context = callContext.getStore();
  if (context === undefined) throw new Error('An isolated check can use these services only while it judges an input.');
  return context;
};

/**
 * The services of an isolated check. Requests are sent by the gateway; time is the process's own. Placeholders are created here,
 * with a key that only this plugin has, so they differ from those of other plugins.
 */
export const childServices: CheckServices = {
  http: { send: async (request) => current().http.send(request) },
  timers: {
    wall: () => Date.now(),
    after(ms, run) {
      const context = callContext.getStore();
      const timer = startTimer(ms, () => {
        context?.reportProgress();
        run();
      });
      return () => clearTimeout(timer);
    },
  },
  placeholder(tenant, { kind, text }) {
    const parts = [tenant, kind, text].map((part) => `${part.length}:${part}`).join('');
    return `[${kind}_${createHmac('sha256', current().placeholderKey).update(parts).digest('hex').slice(0, 12)}]`;
  },
};
