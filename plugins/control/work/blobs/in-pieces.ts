/** The bytes of a stream, put together to pieces of `size` bytes each; the last may have fewer. */
export async function* inPieces(bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Buffer, void> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  for await (let piece of bytes) {
    while (length + piece.length >= size) {
      const taken = piece.subarray(0, size - length);
      yield Buffer.concat([...waiting, taken]);
      waiting = [];
      piece = piece.subarray(taken.length);
      length = 0;
    }
    if (piece.length > 0) waiting.push(piece);
    length += piece.length;
  }
  if (length > 0) yield Buffer.concat(waiting);
}
