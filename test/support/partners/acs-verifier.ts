import { createHash, createHmac } from 'node:crypto';
import type { PartnerCall } from './partner-stub.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const form = /^ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([a-z0-9;-]+),Signature=([0-9a-f]{64})$/;

/** The headers that an Alibaba Cloud server requires to be signed. */
const required = [
  'host',
  'x-acs-action',
  'x-acs-content-sha256',
  'x-acs-date',
  'x-acs-signature-nonce',
  'x-acs-version',
];

/**
 * Returns the code with which an Alibaba Cloud server rejects a request, or undefined if it is signed with version 3 of the
 * method. https://www.alibabacloud.com/help/en/sdk/product-overview/v3-request-structure-and-signature
 */
export const acsRefusal = (call: PartnerCall, secrets: Readonly<Record<string, string>>): string | undefined => {
  const [, keyId = '', list = '', signature] = form.exec(call.header('authorization') ?? '') ?? [];
  const names = list.split(';');
  if (required.some((name) => !names.includes(name) || call.header(name) === undefined)) return 'IncompleteSignature';
  const secret = secrets[keyId];
  if (secret === undefined) return 'InvalidAccessKeyId.NotFound';
  const sentAt = Date.parse(call.header('x-acs-date') ?? '');
  if (!(Math.abs(sentAt - call.now) <= 900_000)) return 'InvalidTimeStamp.Expired';
  if (call.header('x-acs-content-sha256') !== sha256(call.text)) return 'SignatureDoesNotMatch';
  const [path = '', query = ''] = call.path.split('?');
  const lines = names.toSorted().map((name) => `${name}:${call.header(name)?.trim()}\n`);
  const parts = [call.method, path, query, lines.join(''), names.toSorted().join(';'), sha256(call.text)];
  const toSign = `ACS3-HMAC-SHA256\n${sha256(parts.join('\n'))}`;
  return createHmac('sha256', secret).update(toSign).digest('hex') === signature ? undefined : 'SignatureDoesNotMatch';
};
