import { type Check, defineCheck } from '../visitor/define-check.ts';

/** The copies of a config that comes with a request are paid with what the request brings: nothing that is saved is used up by them. */
export const mirrorCredentials: Check = defineCheck({
  name: 'mirror-credentials',
  create: ({ reporter, trust }) => ({
    node({ mirror }) {
      if (trust !== 'caller' || mirror?.target.shape.kind !== 'leaf') return;
      const { source } = mirror.target.shape;
      if (source.kind === 'saved')
        reporter.report('mirror-credential', { pointer: source.at, part: 'value' }, { name: source.slug });
    },
  }),
});
