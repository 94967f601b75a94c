import { toReading } from '../../../plugins/sdk/dialect/text-span.ts';
import type { GatewayFile } from '../../../schema/generated/gateway-file.ts';
import type { GatewayServiceOptions } from '../../server/service.ts';

/** Collects the gateway file's rules for requests of every kind. */
export const requestRules = ({
  pass_through,
  pass_through_headers: passed,
  unknown_headers,
  on_loss,
  prompt_cache,
  ...settings
}: GatewayFile): Pick<
  GatewayServiceOptions,
  'passThrough' | 'passThroughHeaders' | 'unknownHeaders' | 'reading' | 'onLoss' | 'promptCache'
> => ({
  ...(pass_through === undefined ? {} : { passThrough: pass_through }),
  ...(passed === undefined ? {} : { passThroughHeaders: new Set(passed.map((name) => name.toLowerCase())) }),
  ...(unknown_headers === undefined ? {} : { unknownHeaders: unknown_headers }),
  reading: toReading(settings),
  ...(on_loss === undefined ? {} : { onLoss: on_loss }),
  ...(prompt_cache === undefined ? {} : { promptCache: prompt_cache }),
});
