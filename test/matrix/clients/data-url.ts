/** `data:image/png;base64,…` */
export const dataUrl = ({ mimeType, base64 }: { readonly mimeType: string; readonly base64: string }): string =>
  `data:${mimeType};base64,${base64}`;
