/** The ratios of Stability's models: https://platform.stability.ai/docs/api-reference#tag/Generate */
export const stabilityRatios: readonly string[] = ['1:1', '2:3', '3:2', '4:5', '5:4', '9:16', '16:9', '9:21', '21:9'];
