/**
 * Returns the nearest temperature that Claude and Converse accept, which is from 0 to 1:
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InferenceConfiguration.html
 */
export const fitTemperature = (temperature: number | undefined): number | undefined =>
  temperature === undefined ? undefined : Math.min(Math.max(temperature, 0), 1);
