import { invalidInput } from '../../../../../schema/errors/invalid-input.ts';
import { toPointer } from '../../../../../schema/json/pointer.ts';
import { headerValue } from '../../../../sdk/http/http.ts';
import type { NewBatchBody } from './batch-bodies.ts';
import type { ProviderCall } from './executor.ts';

const config = 'x-gw-config';

/**
 * Refuses what says how the gateway sends lines, for a batch whose lines a provider runs. Throws the `GatewayError`
 * `invalid-input`.
 */
export const refusePlan = ({ account, context }: ProviderCall, { gw_options: options }: NewBatchBody): void => {
  const refused = (place: { readonly in?: 'header'; readonly name: string }, what: string) =>
    invalidInput([
      {
        ...(place.in === undefined ? {} : { in: place.in }),
        pointer: toPointer([place.name]),
        message: `${account.slug} runs its batches itself, so that ${what} of the gateway ${place.in === undefined ? 'apply' : 'applies'}.`,
        hint: 'Leave it out, or write "completion_window": "immediate".',
      },
    ]);
  if (options !== undefined) throw refused({ name: 'gw_options' }, 'no options');
  if (headerValue(context.headers, config) !== undefined) throw refused({ in: 'header', name: config }, 'no config');
};
