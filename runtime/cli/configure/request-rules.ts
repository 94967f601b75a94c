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
  passThrough: pass_through,
  passThroughHeaders: passed && new Set(passed.map((name) => name.toLowerCase())),
  unknownHeaders: unknown_headers,
  reading: toReading(settings),
  onLoss: on_loss,
  promptCache: prompt_cache,
});
