/** Splits a text into pieces of `size` characters. A character outside the basic plane stays whole, as in a vendor's stream. */
export const pieces = (text: string, size: number): readonly string[] => {
  const characters = [...text];
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, at) =>
    characters.slice(at * size, (at + 1) * size).join(''),
  );
};
