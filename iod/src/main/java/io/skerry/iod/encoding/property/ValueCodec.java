package io.skerry.iod.encoding.property;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * The encoding of the value of a property. Immutable.
 *
 * @param <T> the type of the value
 */
interface ValueCodec<T> {
  /**
   * Decodes a value and positions the reader after it.
   *
   * @throws io.skerry.exception.FormatException if the bytes are not an encoded value
   */
  T decode(ByteReader in);

  /**
   * Appends a value.
   *
   * @throws IllegalArgumentException if the encoding cannot represent the value
   */
  void encode(T value, ByteWriter out);

  /** Returns a codec that delegates to the given functions. */
  static <T> ValueCodec<T> of(Function<ByteReader, T> decoder, BiConsumer<T, ByteWriter> encoder) {
    return new ValueCodec<>() {
      @Override
      public T decode(ByteReader in) {
        return decoder.apply(in);
      }

      @Override
      public void encode(T value, ByteWriter out) {
        encoder.accept(value, out);
      }
    };
  }
}
