/**
 * Headers of other gateways' clients that say nothing to this one: they are accepted, and not read. Names, and how families
 * of names begin.
 */
export const reservedHeaders: { readonly names: readonly string[]; readonly families: readonly string[] } = {
  names: [
    'x-gw-cloudb-storage-bucket-name',
    'x-gw-cloudc-bedrock-model',
    'x-gw-cloudc-s3-bucket',
    'x-gw-cloudc-s3-object-key',
    'x-gw-huggingface-base-url',
    'x-gw-mistral-fim-completion',
    'x-gw-oracle-api-version',
    'x-gw-oracle-serving-mode',
  ],
  families: ['x-gw-amzn-sagemaker-', 'x-gw-stability-client-'],
};

/**
 * Headers of other gateways' clients that name checks, and the members of a config that do so here. A request that has one is
 * refused: it would be served without the checks that its client relies on.
 */
export const unservedHeaders: ReadonlyMap<string, string> = new Map([
  ['x-gw-default-input-guardrails', 'input_guardrails'],
  ['x-gw-default-output-guardrails', 'output_guardrails'],
]);
