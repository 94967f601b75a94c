import { awsSignatureHeaders } from '../../../schema/credentials/credential-headers.ts';
import { forwardable, isHeaderName } from '../../resolve/providers/forwardable.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

const nameHint = (header: string): string => {
  if (header.includes(':')) return 'Write only the name; the value is the one that the caller sends.';
  return header.includes('*')
    ? 'Patterns are not read; list each header by its name.'
    : 'Write a name such as "x-request-id".';
};

/** Checks that `forward_headers` lists names of headers that can be forwarded. */
export const forwardedHeaders: Check = defineCheck({
  name: 'forwarded-headers',
  create: ({ reporter, sound }) => ({
    node({ own: { forward_headers: headers } }) {
      if (headers === undefined) return;
      for (const { value: header, pointer } of sound.items(headers.value, headers.pointer))
        if (!isHeaderName(header))
          reporter.report('invalid-header-name', { pointer, part: 'value' }, { header, suggestion: nameHint(header) });
        else if (!forwardable(header) || awsSignatureHeaders.includes(header.toLowerCase()))
          reporter.report('header-not-forwarded', { pointer, part: 'value' }, { header });
    },
  }),
});
