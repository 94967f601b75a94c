import type { JsonObject } from '../../../../schema/json/json.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { accountHeaders } from '../accounts/account-headers.ts';
import { uploadPurposes } from '../files/upload-fields.ts';

const text = { type: 'string', minLength: 1 } as const;

/** The headers that say whose files are meant. */
export const fileHeaders: ParameterSchema = {
  type: 'object',
  properties: {
    'x-gw-provider': {
      ...text,
      description: '`gw` for files that the gateway keeps; otherwise the provider that keeps them.',
    },
    'x-gw-virtual-key': { ...text, description: 'The slug of the virtual key in whose account the files are.' },
  },
};

/** The headers of a file that is sent. */
export const uploadHeaders: ParameterSchema = {
  type: 'object',
  properties: {
    ...fileHeaders.properties,
    [accountHeaders.fileName]: { ...text, description: 'What the file is called in the storage of a cloud.' },
    [accountHeaders.model]: {
      ...text,
      maxLength: 255,
      description: 'The model of the lines of a batch, where its provider wants them written for one.',
    },
    [accountHeaders.batchEndpoint]: { ...text, description: 'The endpoint of these lines: /v1/chat/completions.' },
    [accountHeaders.uploadSize]: {
      ...text,
      description: 'The bytes of the file, where its provider wants them before it.',
    },
    [accountHeaders.s3Bucket]: { ...text, description: 'The bucket of Amazon S3 that keeps the file.' },
    [accountHeaders.s3Key]: { ...text, description: 'The key of the object in that bucket.' },
    [accountHeaders.gcsBucket]: { ...text, description: 'The bucket of Google Cloud Storage that keeps the file.' },
    [accountHeaders.encryption]: { ...text, description: 'How S3 encrypts it: AES256, aws:kms or aws:kms:dsse.' },
    [accountHeaders.encryptionKey]: { ...text, description: 'The key of AWS KMS for that.' },
  },
};

/** The form of a file that is sent: https://platform.openai.com/docs/api-reference/files/create */
export const uploadForm: JsonObject = {
  type: 'object',
  required: ['purpose', 'file'],
  properties: {
    purpose: { type: 'string', enum: [...uploadPurposes] },
    'expires_after[anchor]': { type: 'string', const: 'created_at' },
    'expires_after[seconds]': { type: 'integer', description: 'For how long the file is kept.' },
    file: { type: 'string', format: 'binary' },
  },
};
