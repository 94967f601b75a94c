import { compileRegex, definePlugin, errorReport, GatewayError, gatewayError } from 'gatewright/sdk';

const name = 'gatewright-plugin-organisation-check';

const refusal = () =>
  new GatewayError({
    ...errorReport('checks-failed', { phase: 'request' }),
    message: 'The request contains what this organisation keeps to itself. Leave it out.',
  });

/** All texts of a JSON value, without a call for each level: bodies may be nested deeply. */
const textsOf = function* (value) {
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === 'string') yield next;
    else if (typeof next === 'object' && next !== null) for (const each of Object.values(next)) left.push(each);
  }
};

/** Refuses every request with a text that one of the patterns matches, whatever its config says. */
export default definePlugin({
  name,
  options: {
    type: 'object',
    required: ['patterns'],
    properties: {
      patterns: {
        type: 'array',
        minItems: 1,
        items: { type: 'string', format: 'regex' },
        description: 'What no request may contain. Patterns run in linear time.',
      },
    },
  },
  apply(hooks, { patterns }) {
    const matchers = patterns.map((pattern) => compileRegex(pattern));
    hooks.request.tap(name, (exchange) => {
      const { body } = exchange.request;
      if (body.kind === 'none') return exchange;
      // A body that is passed on while it arrives can be read by nobody.
      if (body.kind === 'stream') throw gatewayError('unjudged-request', {});
      for (const text of textsOf(exchange.json())) if (matchers.some((matches) => matches(text))) throw refusal();
      return exchange;
    });
  },
});
