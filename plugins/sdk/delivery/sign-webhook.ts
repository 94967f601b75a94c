import { createHmac } from 'node:crypto';

const prefix = 'whsec_';
const keyBytes = { min: 24, max: 64 } as const;

/**
 * Decodes the key of a Standard Webhooks secret: `whsec_` followed by base64. Throws an `Error`, which does not contain the
 * secret, for any other text.
 */
const readKey = (secret: string): Buffer => {
  const base64 = secret.slice(prefix.length);
  const key = Buffer.from(base64, 'base64');
  const isWhole = key.toString('base64').replace(/=+$/, '') === base64.replace(/=+$/, '');
  if (!secret.startsWith(prefix) || !isWhole || key.length < keyBytes.min || key.length > keyBytes.max)
    throw new Error(
      `The secret is not of Standard Webhooks: write ${prefix} and the base64 of ${keyBytes.min} to ${keyBytes.max} random bytes.`,
    );
  return key;
};

/** Headers by their names. */
type WebhookHeaders = Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>>;

/** Signs a body that is about to be sent. */
export type SignWebhook = (message: {
  readonly id: string;
  readonly now: number;
  readonly body: string;
}) => WebhookHeaders;

/**
 * Creates a function that signs bodies according to Standard Webhooks, once with each secret; the receiver needs only one of
 * them. Throws an `Error` for a text that is not a secret.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export const webhookSigner = (secrets: readonly string[]): SignWebhook => {
  const keys = secrets.map(readKey);
  return ({ id, now, body }) => {
    const timestamp = String(Math.floor(now / 1000));
    const signed = keys.map(
      (key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
    );
    return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signed.join(' ') };
  };
};
