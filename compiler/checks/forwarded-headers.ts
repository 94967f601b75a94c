import { forwardable } from '../ir/forwardable.ts';
import { type Check, defineCheck } from './define-check.ts';

/** Headers that are to be forwarded are ones that may be. */
export const forwardedHeaders: Check = defineCheck({
  name: 'forwarded-headers',
  create: ({ reporter, sound }) => ({
    node({ own: { forward_headers: headers } }) {
      if (headers === undefined) return;
      for (const { value: header, pointer } of sound.items(headers.value, headers.pointer))
        if (!forwardable(header)) reporter.report('header-not-forwarded', { pointer, part: 'value' }, { header });
    },
  }),
});
