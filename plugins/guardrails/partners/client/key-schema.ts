/** A secret among the credentials of a partner's checks. */
export interface KeySchema {
  readonly type: 'string';
  readonly format: 'secret';
  readonly minLength: number;
  readonly description: string;
}

export const keySchema: KeySchema = {
  type: 'string',
  format: 'secret',
  minLength: 1,
  description: 'The key of the service.',
};

/** The parameter `credentials` of services that require one key. */
export interface ApiKeySchema {
  readonly type: 'object';
  readonly required: readonly ['apiKey'];
  readonly properties: { readonly apiKey: KeySchema };
}

export const apiKeySchema: ApiKeySchema = {
  type: 'object',
  required: ['apiKey'],
  properties: { apiKey: keySchema },
};
