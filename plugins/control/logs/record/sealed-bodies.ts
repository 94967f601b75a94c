import { isUtf8 } from 'node:buffer';
import type { SealedAt } from '../../secrets/seal.ts';
import type { Sealer } from '../../secrets/sealer.ts';
import type { LogSettings } from '../log-settings.ts';
import type { RecordRow } from '../store/log-columns.ts';
import type { KeptBodies } from './finished-request.ts';
import { redactedText } from './redacted-text.ts';

/** Bodies as they are kept: texts, each cut where it is too long; absent for what is no text. */
export interface BodyTexts {
  readonly request?: string;
  readonly response?: string;
}

const bodyText = (
  bytes: Uint8Array | undefined,
  { bodyBytes, redact }: Pick<LogSettings, 'bodyBytes' | 'redact'>,
): string | undefined => {
  if (bytes === undefined || bytes.length === 0) return undefined;
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (redact.length === 0) {
    const text = whole.subarray(0, bodyBytes).toString();
    return isUtf8(whole) ? text : undefined;
  }
  return isUtf8(whole) ? redactedText(whole.toString(), redact).slice(0, bodyBytes) : undefined;
};

/** Where the bodies of a record are sealed. */
export const bodiesAt = ({ id, workspace_id: tenant }: Pick<RecordRow, 'id' | 'workspace_id'>): SealedAt => ({
  tenant,
  table: 'log_details',
  id,
  field: 'bodies',
});

export interface Sealing {
  readonly sealer: Pick<Sealer, 'seal'>;
  readonly settings: LogSettings;
}

/** Bodies, sealed, as JSON; null where nothing can be sealed now. */
export const sealedBodies = async (
  row: Pick<RecordRow, 'id' | 'workspace_id'>,
  bodies: KeptBodies,
  { sealer, settings }: Sealing,
): Promise<string | null> => {
  const [request, response] = [bodyText(bodies.request, settings), bodyText(bodies.response, settings)];
  const texts: BodyTexts = {
    ...(request === undefined ? {} : { request }),
    ...(response === undefined ? {} : { response }),
  };
  try {
    return JSON.stringify(await sealer.seal(JSON.stringify(texts), bodiesAt(row)));
  } catch {
    // Without a key, or without the store, a record has no bodies.
    return null;
  }
};
