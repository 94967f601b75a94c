import { isUtf8 } from 'node:buffer';
import type { SealedAt } from '../../kernel/secrets/seal.ts';
import type { Sealer } from '../../kernel/secrets/sealer.ts';
import type { LogSettings } from '../settings/log-settings.ts';
import type { RecordRow } from '../store/log-columns.ts';
import type { LoggedBodies } from './finished-request.ts';
import { redactedText } from './redacted-text.ts';

/** Bodies as they are kept: texts, each cut where it is too long; absent for what is no text. */
export interface BodyTexts {
  readonly request?: string;
  readonly response?: string;
}

/** The longest part of a character that bytes may end with where they were cut. */
const longestPart = 3;

/** Bytes without the part of a character at their end; undefined if they are no text. */
const textBytes = (bytes: Buffer): Buffer | undefined => {
  for (let cut = 0; cut <= longestPart; cut += 1) {
    const whole = bytes.subarray(0, Math.max(0, bytes.length - cut));
    if (isUtf8(whole)) return whole;
  }
  return undefined;
};

const bodyText = (
  bytes: Uint8Array | undefined,
  { bodyBytes, redact }: Pick<LogSettings, 'bodyBytes' | 'redact'>,
): string | undefined => {
  if (bytes === undefined || bytes.length === 0) return undefined;
  const whole = textBytes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (whole === undefined) return undefined;
  if (redact.length === 0) return textBytes(whole.subarray(0, bodyBytes))?.toString();
  return redactedText(whole.toString(), redact).slice(0, bodyBytes);
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
  bodies: LoggedBodies,
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
