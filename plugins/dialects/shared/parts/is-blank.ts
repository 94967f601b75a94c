/** Whether a text says nothing. Anthropic's and Bedrock's APIs reject such texts, so they are omitted. */
export const isBlank = (text: string): boolean => text.trim() === '';
