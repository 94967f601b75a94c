import type { GatewayFile } from '../../schema/generated/gateway-file.ts';
import { childPointer, rootPointer } from '../../schema/json/pointer.ts';
import type { SavedProblem } from './check-saved.ts';

type Metrics = Exclude<NonNullable<GatewayFile['metrics']>, boolean>;

/** Checks the gateway file's `metrics` beyond its shape. */
export const checkMetrics = ({ host, port }: Metrics): readonly SavedProblem[] =>
  host === undefined || port !== undefined
    ? []
    : [
        {
          ...{ code: 'host-without-port', pointer: childPointer(rootPointer, 'metrics', 'host'), part: 'key' },
          message: '"host" is set without "port": metrics are then served at the port of the gateway itself.',
          hint: 'Add "port", so that metrics have their own, or remove "host".',
        },
      ];
