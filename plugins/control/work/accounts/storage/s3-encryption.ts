import { findText } from '../../../../../schema/json/loose.ts';
import { headerValue } from '../../../../sdk/http/http.ts';
import { headerFault } from '../../../kernel/requests/refusals.ts';
import type { Account } from '../account.ts';
import { accountHeaders } from '../account-headers.ts';

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/serv-side-encryption.html */
const members = [
  {
    setting: 'cloudc_server_side_encryption',
    header: accountHeaders.encryption,
    sent: 'x-amz-server-side-encryption',
    values: /^(?:AES256|aws:kms|aws:kms:dsse)$/,
    wanted: 'AES256, aws:kms or aws:kms:dsse',
  },
  {
    setting: 'cloudc_server_side_encryption_kms_key_id',
    header: accountHeaders.encryptionKey,
    sent: 'x-amz-server-side-encryption-aws-kms-key-id',
    values: /^[\w:/-]{1,2048}$/,
    wanted: 'the id, the alias or the ARN of a key',
  },
] as const;

/**
 * The headers that say how S3 encrypts an object: by the settings of the account, or else by those of the request. Throws
 * the `GatewayError` `invalid-input` for a request that says otherwise than the settings, and for another value.
 */
export const s3Encryption = ({ settings, headers, slug }: Account): Readonly<Record<string, string>> => {
  const lines: Record<string, string> = {};
  for (const { setting, header, sent, values, wanted } of members) {
    const own = findText(settings[setting]) ?? '';
    const named = headerValue(headers, header)?.trim() ?? '';
    const value = own === '' ? named : own;
    if (own !== '' && named !== '' && own !== named)
      throw headerFault(
        header,
        `The provider "${slug}" says itself how its files are encrypted.`,
        `Leave the header ${header} out.`,
      );
    if (value !== '' && !values.test(value))
      throw headerFault(header, `The encryption "${value.slice(0, 100)}" is not one of S3.`, `Send ${wanted}.`);
    if (value !== '') lines[sent] = value;
  }
  return lines;
};
